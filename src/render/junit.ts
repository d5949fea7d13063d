// A run as JUnit XML, as Jenkins, GitLab and the actions on GitHub's marketplace read it.

import type { CaseResult, GateResult, RunResult, SuiteResult } from '../run/result.ts';
import { conversationOf } from './conversation.ts';
import { markupLine, markupLines } from './html-text.ts';

/** One `testcase`. */
interface TestCase {
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  xml: string;
  /** Milliseconds. */
  latencyMs: number;
}

/** Characters of a conversation kept beside a failure. */
const OUTPUT = 20_000;

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${markupLine(String(value))}"`)
    .join('');
}

/** Recorded time, not that of this run: equal replays give equal files. */
function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** What went wrong: a line for its message, the rest as text. */
function wrong(result: CaseResult): { message: string; text: string; kind: string } {
  const take = result.takes.find(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
  const broken = take?.scores.filter(({ passed, error }) => !passed || error !== undefined) ?? [];
  const scores = broken.map(
    ({ expectation, reason, error, line }) =>
      `expected ${expectation}: ${error === undefined ? reason : `could not be judged: ${error}`}\n  at ${result.path}:${line}`,
  );
  const problem = [result.problem?.message, result.problem?.remedy, take?.trajectory.detail].filter(
    (text, at, all) => text !== undefined && all.indexOf(text) === at,
  ) as string[];
  const first = broken[0];
  const message = result.problem?.message ?? first?.error ?? first?.reason ?? take?.trajectory.detail ?? '';
  return {
    message: message.split('\n')[0] ?? '',
    text: [...scores, ...problem].join('\n'),
    kind: first?.kind ?? 'failed',
  };
}

function outputOf(result: CaseResult): string {
  const take = result.takes.find(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
  if (!take) return '';
  const lines = conversationOf(take).map(({ broken, text }) => `${broken ? '>' : ' '} ${text}`.trimEnd());
  return `\n      <system-out>${markupLines(lines.join('\n'), 200, OUTPUT)}</system-out>`;
}

function bodyOf(result: CaseResult): Pick<TestCase, 'kind'> & { body: string } {
  const { message, text, kind } = wrong(result);
  const inner = (name: string, type: string) =>
    `<${name}${attributes({ message, type })}>${markupLines(text)}</${name}>${outputOf(result)}`;
  switch (result.outcome) {
    case 'passed':
      return { kind: 'passed', body: '' };
    case 'failed':
      return { kind: 'failure', body: inner('failure', kind) };
    case 'unrecorded':
    case 'errored':
      return { kind: 'error', body: inner('error', result.outcome) };
    case 'skipped':
      return { kind: 'skipped', body: `<skipped${attributes({ message })}/>` };
  }
}

function testCase(result: CaseResult): TestCase {
  const { latencyMs } = result.tally;
  const head = attributes({
    name: result.case,
    classname: result.suite,
    file: result.path,
    line: result.line,
    time: seconds(latencyMs),
  });
  const { kind, body } = bodyOf(result);
  const xml = body === '' ? `    <testcase${head}/>` : `    <testcase${head}>\n      ${body}\n    </testcase>`;
  return { kind, xml, latencyMs };
}

function gateCase({ gate, passed, reason }: GateResult, suite: string): TestCase {
  const head = attributes({ name: `gate ${gate}`, classname: suite, time: seconds(0) });
  if (passed) return { kind: 'passed', xml: `    <testcase${head}/>`, latencyMs: 0 };
  const failure = `<failure${attributes({ message: reason, type: 'gate' })}></failure>`;
  return { kind: 'failure', xml: `    <testcase${head}>\n      ${failure}\n    </testcase>`, latencyMs: 0 };
}

function totals(cases: readonly TestCase[]): Record<string, string | number> {
  const of = (kind: TestCase['kind']) => cases.filter((one) => one.kind === kind).length;
  return {
    tests: cases.length,
    failures: of('failure'),
    errors: of('error'),
    skipped: of('skipped'),
    time: seconds(cases.reduce((sum, { latencyMs }) => sum + latencyMs, 0)),
  };
}

function suiteXml(name: string, cases: readonly TestCase[], file?: string): string {
  const head = attributes({ name, ...totals(cases), ...(file !== undefined && { file }) });
  return [`  <testsuite${head}>`, ...cases.map(({ xml }) => xml), '  </testsuite>'].join('\n');
}

function casesOfSuite({ suite, cases, gates }: SuiteResult): TestCase[] {
  return [...cases.map(testCase), ...(gates ?? []).map((gate) => gateCase(gate, suite))];
}

/** The XML of a run: a `testsuite` a suite, a `testcase` a case and a gate; a missing recording and a provider's failure are `error`. */
export function renderJunit(result: RunResult): string {
  const suites = result.suites.map((suite) => ({ suite, cases: casesOfSuite(suite) }));
  const own = (result.gates ?? []).map((gate) => gateCase(gate, 'retake'));
  const all = [...suites.flatMap(({ cases }) => cases), ...own];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'retake', ...totals(all) })}>`,
    ...suites.map(({ suite, cases }) => suiteXml(suite.suite, cases, suite.path)),
    ...(own.length > 0 ? [suiteXml('retake', own)] : []),
    '</testsuites>',
    '',
  ].join('\n');
}
