// Annotations on the suites' lines: the most useful first, no more than a runner shows.

import type { Fault } from '../errors.ts';
import { ERRORS } from '../errors.ts';
import type { CaseResult, RunResult } from '../run/result.ts';
import { type Group, groupByCause } from './terminal-details.ts';
import { counted } from './terminal-figures.ts';
import { defuse, safeLine, safeLines } from './terminal-text.ts';
import { casesOf, failsAtBase, isRed, missedGates, type ReportContext } from './verdict.ts';

/** How grave an annotation is; the names of workflow commands. */
export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** A remark on lines of a file. Title and message are safe for a workflow log, but for the escaping of its commands' data. */
export interface Annotation {
  level: AnnotationLevel;
  /** Relative to the repository, POSIX separators. */
  path: string;
  /** 1-based. */
  line: number;
  /** 1-based, not before `line`. */
  endLine: number;
  title: string;
  message: string;
}

/** What annotations need beside the report's context. */
export interface AnnotationContext extends ReportContext {
  /** The project's folder relative to the repository, POSIX separators; absent or empty where they are one. */
  folder?: string;
}

/** A runner shows ten of each level a step, and drops the rest unseen. */
const MOST = 10;
/** A runner cuts a message after 4,096 characters. */
const MESSAGE = 4000;
const TITLE = 200;
const LINES = 40;

type Place = Pick<Annotation, 'path' | 'line' | 'endLine'>;

function annotation(level: AnnotationLevel, place: Place, said: { title: string; message: string }): Annotation {
  const title = defuse(safeLine(said.title, TITLE));
  const message = defuse(safeLines(said.message, LINES, MESSAGE).join('\n'));
  const head = message.slice(0, MESSAGE - 1).replace(/[\ud800-\udbff]$/, '');
  return { level, ...place, title, message: message.length > MESSAGE ? `${head}…` : message };
}

function failure(one: CaseResult, level: AnnotationLevel): Annotation {
  const take = one.takes.find(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
  const broken = take?.scores.filter(({ passed, error }) => !passed || error !== undefined) ?? [];
  const first = broken[0];
  const line = first?.line ?? one.line;
  const why = broken.map(
    ({ expectation, reason, error }) => `expected ${safeLine(expectation, 300)}: ${error ?? reason}`,
  );
  const stopped = take?.trajectory.detail ?? one.problem?.message;
  return annotation(
    level,
    { path: one.path, line, endLine: first ? line : Math.max(line, one.endLine) },
    {
      title: `${one.suite} › ${one.case} failed`,
      message: why.length > 0 ? why.join('\n') : (stopped ?? 'It did not pass.'),
    },
  );
}

const TITLES = { unrecorded: 'has no recording', errored: 'could not be judged' } as const;

function cause({ first, problem, cases }: Group, level: AnnotationLevel): Annotation {
  const more = cases.length > 1 ? ` and ${counted(cases.length - 1, 'more case')}` : '';
  const outcome = first.outcome === 'unrecorded' ? 'unrecorded' : 'errored';
  return annotation(
    level,
    { path: first.path, line: first.line, endLine: Math.max(first.line, first.endLine) },
    {
      title: `${first.suite} › ${first.case}${more} ${cases.length > 1 ? TITLES[outcome].replace('has', 'have') : TITLES[outcome]}`,
      message: [problem.message, problem.remedy ?? ''].filter((text) => text !== '').join('\n'),
    },
  );
}

function mistake({ code, message, place, remedy }: Fault): Annotation[] {
  if (!place) return [];
  const line = place.line ?? 1;
  return [
    annotation(
      'error',
      { path: place.file.replaceAll('\\', '/'), line, endLine: line },
      { title: ERRORS[code].title, message: [message, remedy ?? ''].filter((text) => text !== '').join('\n') },
    ),
  ];
}

function gates(result: RunResult, level: AnnotationLevel): Annotation[] {
  return missedGates(result).flatMap(({ suite, gate }) => {
    const path = (suite === undefined ? undefined : result.suites.find((one) => one.suite === suite))?.path;
    if (path === undefined) return [];
    const said = { title: `gate ${gate.gate} of ${suite} missed`, message: gate.reason };
    return [annotation(level, { path, line: 1, endLine: 1 }, said)];
  });
}

/** The first of a level that a runner shows; the last of them counts those it would not. */
function shown(all: readonly Annotation[]): Annotation[] {
  if (all.length <= MOST) return [...all];
  const next = all[MOST - 1];
  if (!next) return [...all];
  const left = all.length - (MOST - 1);
  return [
    ...all.slice(0, MOST - 1),
    {
      ...next,
      title: `${counted(left, 'more remark')}`,
      message: `${counted(left, 'more remark')} in the job summary.`,
    },
  ];
}

/** What to remark on a run: mistakes, new failures, missed gates, what has no recording or no verdict, what fails at base too; at most ten of a level. */
export function annotationsOf(result: RunResult | undefined, context: AnnotationContext = {}): Annotation[] {
  const level = isRed(result, context) ? 'error' : 'warning';
  const isOld = failsAtBase(context);
  const cases = casesOf(result);
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  const unjudged = (['unrecorded', 'errored'] as const).flatMap((outcome) =>
    groupByCause(cases.filter((one) => one.outcome === outcome)),
  );
  const tolerated = context.failOn === 'regressions' ? 'warning' : level;
  const all = [
    ...(context.invalid ?? []).flatMap(mistake),
    ...failed.filter((one) => !isOld(one)).map((one) => failure(one, level)),
    ...(result ? gates(result, level) : []),
    ...unjudged.map((group) => cause(group, level)),
    ...failed.filter(isOld).map((one) => failure(one, tolerated)),
  ];
  const folder = (context.folder ?? '').replace(/^\.?\/+|\/+$|^\.$/g, '');
  const placed = folder === '' ? all : all.map((one) => ({ ...one, path: `${folder}/${one.path}` }));
  return (['error', 'warning', 'notice'] as const).flatMap((of) => shown(placed.filter((one) => one.level === of)));
}
