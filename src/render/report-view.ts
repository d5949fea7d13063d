// The view of a run that comment and job summary show: plain data, every string escaped for Markdown.

import type { RunResult } from '../run/result.ts';
import { faultLines } from './fault-summary.ts';
import { moreOf } from './findings.ts';
import type { Rung } from './fit.ts';
import { type ClassesView, classTables, gateRows, missedLines } from './gate-rows.ts';
import { sentence } from './markdown.ts';
import { type CasesRoom, type CasesView, caseViews } from './report-cases.ts';
import { figuresOf, footerOf, type ReportFigures } from './report-figures.ts';
import { suitesTable } from './report-suites.ts';
import { passedRow } from './summary-rows.ts';
import { casesOf, isRed, type ReportContext, toleranceLine, verdictLine } from './verdict.ts';

/** Items of a table or list, and how many more there are. */
export interface ItemsView {
  items: string[];
  more: string;
}

/** What the templates `comment` and `summary` show. Every string is Markdown. */
export interface ReportView extends CasesView {
  /** Our own, as given: the first line of a comment. */
  marker: string;
  verdict: string;
  /** True where nothing needs to be told: no failure, change, note or missed gate. */
  allWell: boolean;
  /** Sentences on the verdict and on base. */
  lines: string[];
  figures: ReportFigures;
  faults: ItemsView;
  missedGates: string[];
  suites: ItemsView & { title: string };
  gates: string[];
  classes: ClassesView[];
  passed: ItemsView;
  notes: ItemsView;
  footer: string[];
}

/** What of a report may give way, in that order: rows of what passed, changes by weight, figures, reasons, then names; the first reasons last. */
const PARTS = [
  'passed',
  'passing',
  'classes',
  'changes',
  'old',
  'suites',
  'gates',
  'told',
  'rows',
  'causes',
  'notes',
  'faults',
  'named',
  'first',
] as const;

/** A part that may give way. */
export type Part = (typeof PARTS)[number];

/** How many of each part are shown. */
export type ReportRoom = Record<Part, number> & CasesRoom;

/** How to draw a report: how many of each part there are at most, and its view with so much room. */
export interface ReportViewer {
  rungs: Rung<Part>[];
  view: (room: ReportRoom) => ReportView;
}

/** A viewer of one run. No view tells more cases in full than `maxBytes` could hold; each is written once, however often the view is built. */
export function reportViewer(
  result: RunResult | undefined,
  context: ReportContext,
  { maxBytes, marker = '', passedRows }: { maxBytes: number; marker?: string; passedRows: boolean },
): ReportViewer {
  const cases = caseViews(result, context, maxBytes);
  const faults = context.invalid ?? [];
  const notes = [...(result?.notes ?? []), ...(context.notes ?? [])];
  const passed = passedRows ? casesOf(result).filter(({ outcome }) => outcome === 'passed') : [];
  const missed = missedLines(result);
  const gates = gateRows(result);
  const classes = classTables(result);
  const red = isRed(result, context);
  const suites = suitesTable(result, context);
  const lines: Record<string, string[]> = {};

  const once = (name: string, build: () => string[]): string[] => {
    lines[name] ??= build();
    return lines[name];
  };

  function view(room: ReportRoom): ReportView {
    const tolerated = toleranceLine(result, context);
    const { changes } = context;
    const missing = context.base && 'missing' in context.base ? context.base.missing : undefined;
    const shownFaults = once('faults', () =>
      faults.slice(0, most.faults).flatMap((fault) => [faultLines(fault).join('\n')]),
    );
    const shownNotes = once('notes', () => notes.slice(0, most.notes).map((note) => sentence(note, 500)));
    const rows = once('passed', () => passed.slice(0, most.passed).map(passedRow));
    return {
      marker,
      verdict: verdictLine(result, context),
      allWell: !red && result?.exitCode === 0 && cases.told + cases.changes + notes.length + missed.length === 0,
      lines: [
        ...(tolerated === '' ? [] : [tolerated]),
        ...(changes && changes.line !== '' && changes.blocks.length > 0
          ? [`Behaviour against base: ${changes.line}`]
          : []),
        ...(missing === undefined ? [] : [`Not compared with base: ${sentence(missing, 300)}`]),
      ],
      figures: figuresOf(result, context),
      faults: { items: shownFaults.slice(0, room.faults), more: moreOf(faults.length - room.faults, 'mistake') },
      missedGates: missed.slice(0, 20),
      ...cases.view(room),
      suites: suites.view(room),
      gates: gates.slice(0, room.gates),
      classes: classes.slice(0, room.classes),
      passed: { items: rows.slice(0, room.passed), more: moreOf(passed.length - room.passed, 'passing case') },
      notes: { items: shownNotes.slice(0, room.notes), more: moreOf(notes.length - room.notes, 'note') },
      footer: footerOf(result, context),
    };
  }

  // No item is smaller than this, so what is beyond could never be shown.
  const cap = (count: number, bytes: number) => Math.min(count, Math.ceil(maxBytes / bytes));
  const most: ReportRoom = {
    passed: cap(passed.length, 20),
    passing: cap(suites.passing, 20),
    classes: cap(classes.length, 60),
    suites: cap(suites.others, 20),
    gates: cap(gates.length, 20),
    notes: cap(notes.length, 20),
    faults: cap(faults.length, 20),
    ...cases.most,
  };
  return { rungs: PARTS.map((part) => ({ part, most: most[part] })), view };
}
