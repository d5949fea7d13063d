// The cases of a report that need to be seen: failures, what could not be judged, changes, what fails at base too.

import type { CaseResult, RunResult } from '../run/result.ts';
import { caseName } from '../suite/names.ts';
import { type CausesView, causesOf } from './cause-views.ts';
import {
  type ChangeView,
  type FindingView,
  findingOf,
  moreOf,
  namer,
  namesBySuite,
  sizeOf,
  UNCHANGED,
} from './findings.ts';
import { groupByCause } from './terminal-details.ts';
import { counted, grouped } from './terminal-figures.ts';
import { baseOf, type ChangeBlock, casesOf, failsAtBase, type ReportContext } from './verdict.ts';

/** Cases that failed: some open, some folded, the rest by name. */
export interface FailuresView {
  title: string;
  open: FindingView[];
  folded: FindingView[];
  /** Names by suite of those that are told no further. */
  names: string[];
  /** Empty where the names need not be folded. */
  namesTitle: string;
  more: string;
}

/** The cases of a report. Every string is Markdown. */
export interface CasesView {
  failures: FailuresView[];
  /** No recording, provider errors, skipped for a reason. */
  causes: CausesView[];
  /** Other changes of behaviour. */
  changes: { title: string; blocks: ChangeView[]; more: string };
  /** Failing at base too. */
  old: FailuresView[];
}

/** How many of each are shown: `first` and `told` failures and `old` ones in full, `causes` and `changes` with their details, `rows` of changes, `named` cases at all. */
export type CasesRoom = Record<'first' | 'told' | 'old' | 'causes' | 'changes' | 'rows' | 'named', number>;

/** The cases of one report, each written once however often it is drawn. */
export interface CaseViews {
  /** Cases told as failed or without a verdict. */
  told: number;
  /** Other changes. */
  changes: number;
  /** The most of each that could be shown at all. */
  most: CasesRoom;
  view: (room: CasesRoom) => CasesView;
}

/** Failures that stand open. */
const OPEN = 5;
/** Failures that are told in full even where not every name has room, if they take no more than this part of it. */
const FIRST = 3;
const FIRST_PART = 8;
const UNJUDGED = [
  ['unrecorded', 'No recording'],
  ['errored', 'Provider errors'],
  ['skipped', 'Skipped'],
] as const;

function sortCases(result: RunResult | undefined, context: ReportContext) {
  const cases = casesOf(result);
  const isOld = failsAtBase(context);
  const of = (outcome: CaseResult['outcome']) => cases.filter((one) => one.outcome === outcome);
  return {
    failed: of('failed').filter((one) => !isOld(one)),
    old: of('failed').filter(isOld),
    // What nobody asked for is counted in the verdict and no more.
    unjudged: UNJUDGED.map(([outcome, title]) => {
      const own = of(outcome).filter(({ problem }) => outcome !== 'skipped' || problem);
      return { title: `${title} (${grouped(own.length)})`, count: own.length, groups: groupByCause(own) };
    }).filter(({ count }) => count > 0),
  };
}

function failedTitle(result: RunResult | undefined, context: ReportContext, count: number): string {
  if (result?.exitCode === 0) return `Failed, within the gates (${grouped(count)})`;
  return `${baseOf(context) ? 'New failures' : 'Failed'} (${grouped(count)})`;
}

/** Findings written once. */
function finder(): (one: CaseResult) => FindingView {
  const known = new Map<CaseResult, FindingView>();
  return (one) => {
    const finding = known.get(one) ?? findingOf(one);
    known.set(one, finding);
    return finding;
  };
}

/** The cases of a run that need to be seen, for reports of at most `maxBytes`. */
export function caseViews(result: RunResult | undefined, context: ReportContext, maxBytes: number): CaseViews {
  const { failed, old, unjudged } = sortCases(result, context);
  const find = finder();
  const nameOfCase = namer();
  const unjudgedCount = unjudged.reduce((sum, { count }) => sum + count, 0);
  const elsewhere = new Set(
    [...failed, ...old, ...unjudged.flatMap(({ groups }) => groups.flatMap(({ cases }) => cases))].map(caseName),
  );
  const blocks = (context.changes?.blocks ?? []).map((block, at) => ({ block, at }));
  const blockOf = new Map<string, { block: ChangeBlock; at: number }>();
  for (const one of blocks.toReversed()) blockOf.set(caseName(one.block), one);
  const others = blocks.filter(({ block }) => !elsewhere.has(caseName(block)));

  const changeView = ({ block, at }: { block: ChangeBlock; at: number }, { changes }: CasesRoom): ChangeView => ({
    row: block.row,
    details: at < changes ? block.details : '',
  });

  /** `told` of them in full and `named` at all. */
  function failuresView(title: string, cases: CaseResult[], room: CasesRoom & { full: number }): FailuresView[] {
    if (cases.length === 0) return [];
    const shown = cases.slice(0, Math.max(0, room.named));
    const full = shown.slice(0, room.full).map((one) => {
      const change = blockOf.get(caseName(one));
      return { ...find(one), change: change ? changeView(change, room) : UNCHANGED };
    });
    return [
      {
        title: `${title}`,
        open: full.slice(0, OPEN),
        folded: full.slice(OPEN),
        names: namesBySuite(shown.slice(full.length), nameOfCase),
        namesTitle: full.length === 0 ? '' : counted(cases.length - full.length, 'more case'),
        more: moreOf(cases.length - shown.length, 'case'),
      },
    ];
  }

  function view(room: CasesRoom): CasesView {
    let named = room.named - failed.length;
    const causes = unjudged.map(({ title, count, groups }) => {
      const shown = causesOf(title, groups, { told: room.causes, named: Math.max(0, named), nameOfCase });
      named -= count;
      return shown;
    });
    const rows = others.slice(0, room.rows);
    return {
      failures: failuresView(failedTitle(result, context, failed.length), failed, {
        ...room,
        full: room.first + room.told,
      }),
      causes,
      changes: {
        title: others.length > 0 ? `Behaviour changes (${grouped(others.length)})` : '',
        blocks: rows.map((one) => changeView(one, room)),
        more: moreOf(others.length - rows.length, 'change'),
      },
      old: failuresView(`Failing at base too (${grouped(old.length)})`, old, { ...room, named, full: room.old }),
    };
  }

  /** How many of the first cases together could fit in full. */
  function fitting(cases: readonly CaseResult[], bytes: number): number {
    let left = bytes;
    const beyond = cases.findIndex((one) => {
      left -= sizeOf(find(one));
      return left < 0;
    });
    return beyond < 0 ? cases.length : beyond;
  }

  const first = fitting(failed.slice(0, FIRST), maxBytes / FIRST_PART);
  // No item is smaller than this, so what is beyond could never be shown.
  const cap = (count: number, bytes: number) => Math.min(count, Math.ceil(maxBytes / bytes));
  return {
    told: elsewhere.size,
    changes: others.length,
    most: {
      first,
      told: Math.max(0, fitting(failed, maxBytes) - first),
      old: fitting(old, maxBytes),
      causes: cap(unjudgedCount, 40),
      changes: cap(blocks.length, 40),
      rows: cap(others.length, 4),
      named: cap(elsewhere.size, 4),
    },
    view,
  };
}
