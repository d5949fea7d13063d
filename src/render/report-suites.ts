// The table of suites in comment and summary: those that failed or changed first to stay.

import type { RunResult, SuiteResult } from '../run/result.ts';
import { moreOf } from './findings.ts';
import { code } from './markdown.ts';
import { isWhole, type SuiteBase, suiteRow } from './summary-rows.ts';
import { counted } from './terminal-figures.ts';
import { type BaseRun, baseOf, type ReportContext } from './verdict.ts';

/** Suites of base named as gone. */
const GONE = 10;

function shownSuites(result: RunResult | undefined): SuiteResult[] {
  return (result?.suites ?? []).filter(({ cases }) => cases.length > 0);
}

function baseSuites(base: BaseRun | undefined): (suite: string) => SuiteBase {
  if (!base) return () => undefined;
  const known = new Map(base.suites.map((suite) => [suite.suite, suite]));
  return (suite) => known.get(suite) ?? 'missing';
}

/** The table of suites of one run. */
export interface SuitesTable {
  /** Suites where all passed. */
  passing: number;
  others: number;
  /** The rows with so much room, in the order of the suites, and what is left out. */
  view: (room: { passing: number; suites: number }) => { title: string; items: string[]; more: string };
}

/** Suites that base has and this run has not. */
function goneLine(result: RunResult | undefined, base: BaseRun | undefined): string {
  const here = new Set(result?.suites.map(({ suite }) => suite));
  const gone = base && result ? base.suites.filter(({ suite }) => !here.has(suite)) : [];
  if (gone.length === 0) return '';
  const names = gone.slice(0, GONE).map(({ suite }) => code(suite, 200));
  const rest = gone.length > GONE ? ` ${moreOf(gone.length - GONE, 'suite')}` : '';
  return `not in this run, but at base: ${names.join(', ')}${rest}`;
}

/** The table of a run's suites, each row written once. */
export function suitesTable(result: RunResult | undefined, context: ReportContext): SuitesTable {
  const base = baseOf(context);
  const find = baseSuites(base);
  const suites = shownSuites(result).map((suite) => ({
    whole: isWhole(suite),
    row: suiteRow(suite, find(suite.suite)),
  }));
  const passing = suites.filter(({ whole }) => whole).length;
  const gone = goneLine(result, base);
  return {
    passing,
    others: suites.length - passing,
    view: (room) => {
      const rest = { whole: room.passing, broken: room.suites };
      const items = suites.flatMap(({ whole, row }) => (rest[whole ? 'whole' : 'broken']-- > 0 ? [row] : []));
      const left = suites.length - items.length;
      const more = [
        items.length === 0 && left > 0 ? `${counted(left, 'suite')} not shown` : moreOf(left, 'suite'),
        gone,
      ].filter((text) => text !== '');
      return { title: counted(suites.length, 'suite'), items, more: more.join('; ') };
    },
  };
}
