// Gates and classes for the terminal: what must hold of many cases together, and what was tolerated for it.

import type { Colors } from 'picocolors/types.js';
import { isFloor, toleratedOf } from '../run/gate.ts';
import type { Classification, GateResult, RunResult } from '../run/result.ts';
import { counted, grouped } from './terminal-figures.ts';
import { cutMiddle, fill, safeLine, widthOf } from './terminal-text.ts';

/** More classes than a terminal wants. */
const MOST_CLASSES = 30;
const WIDEST_LABEL = 40;

function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function gateLine(suite: string | undefined, gate: GateResult, colors: Colors): string {
  const mark = gate.passed ? colors.green('✓') : colors.red('✗');
  const actual = gate.actual === null ? 'unknown' : number(gate.actual);
  const holds = `${actual} ${isFloor(gate.gate) ? '≥' : '≤'} ${number(gate.limit)}`;
  const of = suite === undefined ? '' : `${safeLine(suite, 200)} › `;
  const said = gate.passed || gate.actual === null ? holds : colors.red(`${holds} does not hold`);
  return `  ${mark} ${of}${safeLine(gate.gate, 100)}   ${said}   ${colors.dim(safeLine(gate.reason, 300))}`;
}

function classLines(suite: string, { labelled, accuracy, macroF1, classes }: Classification, colors: Colors): string[] {
  const figures = `accuracy ${number(accuracy)}, macro F1 ${number(macroF1)} over ${counted(labelled, 'labelled answer')}`;
  const rows = [
    ['label', 'precision', 'recall', 'F1', 'support'],
    ...classes
      .slice(0, MOST_CLASSES)
      .map(({ label, precision, recall, f1, support }) => [
        cutMiddle(safeLine(label, 200), WIDEST_LABEL),
        precision.toFixed(3),
        recall.toFixed(3),
        f1.toFixed(3),
        grouped(support),
      ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  const more = classes.length - MOST_CLASSES;
  return [
    `${colors.bold(safeLine(suite, 200))}  ${figures}`,
    ...rows.map(([label = '', ...cells], rowAt) => {
      const right = cells.map((cell, at) => `   ${fill(cell, widths[at + 1] ?? 0)}${cell}`).join('');
      const line = `  ${label}${fill(label, widths[0] ?? 0)}${right}`;
      return rowAt === 0 ? colors.dim(line) : line;
    }),
    ...(more > 0 ? [`  and ${counted(more, 'more label')}`] : []),
    '',
  ];
}

/** The gates of a run with what they let pass, and the classes of its suites; nothing where there are none. */
export function gateLines(result: RunResult, colors: Colors): string[] {
  const classes = result.suites.flatMap(({ suite, classification }) =>
    classification ? classLines(suite, classification, colors) : [],
  );
  const gates = [
    ...(result.gates ?? []).map((gate) => gateLine(undefined, gate, colors)),
    ...result.suites.flatMap(({ suite, gates: own = [] }) => own.map((gate) => gateLine(suite, gate, colors))),
  ];
  const tolerated = toleratedOf(result).map(
    ({ suite, failed, gate }) =>
      `  ${safeLine(suite, 200)}: ${counted(failed, 'failed case')} tolerated by ${gate.gate} ${number(gate.limit)}`,
  );
  return [...classes, ...(gates.length === 0 ? [] : [colors.bold('gates'), ...gates, ...tolerated, ''])];
}
