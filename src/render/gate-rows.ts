// Gates and classes of a run as rows of Markdown.

import type { Classification, GateResult, RunResult } from '../run/result.ts';
import { code, sentence } from './markdown.ts';
import { counted, grouped } from './terminal-figures.ts';
import { missedGates } from './verdict.ts';

/** A table of one suite's classes. Every string is Markdown. */
export interface ClassesView {
  title: string;
  rows: string[];
}

const LABELS = 50;

function number(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function gateRow({ gate, limit, actual, passed }: GateResult, suite: string | undefined): string {
  const of = suite === undefined ? 'the whole run' : code(suite, 200);
  const cells = [
    passed ? '✅' : '❌',
    code(gate, 100),
    of,
    number(limit),
    actual === null ? 'unknown' : number(actual),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A line for each gate that was missed. */
export function missedLines(result: RunResult | undefined): string[] {
  return missedGates(result).map(({ suite, gate: { gate, reason } }) => {
    const of = suite === undefined ? '' : ` of ${code(suite, 200)}`;
    return `${code(gate, 100)}${of}: ${sentence(reason, 300)}`;
  });
}

/** A row for each gate. */
export function gateRows(result: RunResult | undefined): string[] {
  if (!result) return [];
  return [
    ...(result.gates ?? []).map((gate) => gateRow(gate, undefined)),
    ...result.suites.flatMap(({ suite, gates }) => (gates ?? []).map((gate) => gateRow(gate, suite))),
  ];
}

function classesView(suite: string, { labelled, accuracy, macroF1, classes }: Classification): ClassesView {
  const more = classes.length - LABELS;
  const rows = classes.slice(0, LABELS).map(({ label, precision, recall, f1, support }) => {
    const cells = [code(label, 100), number(precision), number(recall), number(f1), grouped(support)];
    return `| ${cells.join(' | ')} |`;
  });
  const figures = `accuracy ${number(accuracy)}, macro F1 ${number(macroF1)} over ${counted(labelled, 'labelled case')}`;
  return {
    title: `Classes of ${code(suite, 200)}: ${figures}`,
    rows: more > 0 ? [...rows, `| and ${counted(more, 'more class', 'more classes')} | | | | |`] : rows,
  };
}

/** A table for each suite that names classes. */
export function classTables(result: RunResult | undefined): ClassesView[] {
  return (result?.suites ?? []).flatMap(({ suite, classification }) =>
    classification ? [classesView(suite, classification)] : [],
  );
}
