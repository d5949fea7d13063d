// `command: record`, `propose` and `drift`: the night, in one job or in two that share a folder.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { info, notice, setFailed, setOutput, summary } from '@actions/core';
import { z } from 'zod';
import { type DriftReport, drift } from '../commands/drift.ts';
import type { Comparison } from '../compare/comparison.ts';
import { userError } from '../errors.ts';
import { connect } from '../github/client.ts';
import { changeBlocks, renderChangesMarkdown } from '../render/changes-markdown.ts';
import { inline } from '../render/markdown.ts';
import { atLeastUsd, counted, usd } from '../render/terminal-figures.ts';
import { projectRoot } from '../suite/load.ts';
import type { Inputs } from './inputs.ts';
import { type LaneOutcome, propose, setDriftOutputs } from './propose.ts';
import { fromWorkspace, runPage, thisRun } from './step.ts';

/** What the second job needs to know of the first's; every string in it is a stranger's. */
const manifestSchema = z.strictObject({
  document: z.literal('retake/drift-manifest'),
  version: z.literal(1),
  /** The commit that was taken against. */
  base: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** SHA-256 of every file, by path below the folder. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
  report: z.object({
    document: z.literal('retake/drift'),
    version: z.literal(1),
    outcome: z.enum(['none', 'drift', 'unknown']),
    digest: z.string().max(64),
    threshold: z.enum(['regressed', 'rerouted', 'fixed', 'rescored', 'reworded']),
    drifted: z.array(z.object({ suite: z.string(), case: z.string(), takes: z.int() })),
    incomparable: z.array(z.strictObject({ suite: z.string(), case: z.string(), why: z.string() })),
    unchecked: z.array(z.string()),
    attempted: z.int().min(0),
    spentUsd: z.number().nullable(),
    spentKnownUsd: z.number(),
  }),
});

const MANIFEST = 'manifest.json';

/** A night's report but for the comparison, which is made anew where it may be a stranger's. */
type Night = Omit<DriftReport, 'comparison' | 'drifted' | 'retake'> & {
  drifted: readonly { suite: string; case: string; takes: number }[];
};

/** What was proposed, and by which comparison; absent where nothing could be told. */
interface Proposal {
  outcomes: readonly LaneOutcome[];
  comparison?: Comparison | undefined;
}

function recordingsOf(inputs: Inputs): string {
  return `${inputs.drift.dir}/cassettes`;
}

function listFiles(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? listFiles(folder, path) : entry.isFile() ? [path] : [];
  });
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function baseSha(env: NodeJS.ProcessEnv): string {
  return env['GITHUB_SHA'] ?? '';
}

/** The live takes run on the default branch alone: anything else could spend the keys on a stranger's suites. */
function refuseOtherBranches(env: NodeJS.ProcessEnv): string {
  const payload = env['GITHUB_EVENT_PATH'];
  let branch: unknown;
  try {
    branch = (JSON.parse(readFileSync(payload ?? '', 'utf8')) as { repository?: { default_branch?: unknown } })
      .repository?.default_branch;
  } catch {
    branch = undefined;
  }
  const name = env['GITHUB_REF_NAME'] ?? '';
  const known = typeof branch === 'string' && branch !== '' ? branch : name;
  if (known !== '' && name === known && (env['GITHUB_REF_TYPE'] ?? 'branch') === 'branch') return known;
  throw userError('bad_argument', `drift runs on the default branch, not on ${name || 'this ref'}`, {
    remedy: 'Run it on `schedule` or `workflow_dispatch` of the default branch.',
  });
}

function allowed(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

async function take(inputs: Inputs, env: NodeJS.ProcessEnv): Promise<DriftReport> {
  const { cwd, suites, filter, tags, concurrency } = inputs;
  const { confirm, maxIncomparable, threshold, maxCostUsd } = inputs.drift;
  const report = await drift({
    cwd,
    globs: suites,
    filter,
    tags,
    ...(concurrency !== undefined && { concurrency }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    confirm,
    maxIncomparable,
    threshold,
    env: allowed(inputs.env, env),
    into: recordingsOf(inputs),
  });
  const folder = join(projectRoot(cwd), inputs.drift.dir);
  if (existsSync(join(folder, 'cassettes'))) {
    const files = listFiles(join(folder, 'cassettes')).sort();
    const manifest = {
      document: 'retake/drift-manifest',
      version: 1,
      base: baseSha(env),
      files: Object.fromEntries(files.map((path) => [path, digestOf(readFileSync(join(folder, 'cassettes', path)))])),
      report,
    };
    writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  return report;
}

/** Reads what the first job left, whole or not at all. Throws UserError. */
function readManifest(inputs: Inputs, env: NodeJS.ProcessEnv): Night {
  const folder = join(projectRoot(inputs.cwd), inputs.drift.dir);
  const shown = fromWorkspace(join(folder, MANIFEST), env);
  const remedy = 'Download what the record job uploaded to the same folder; nothing was touched.';
  let manifest: z.output<typeof manifestSchema>;
  try {
    manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')));
  } catch {
    throw userError('bad_argument', `input drift-dir: ${shown} is missing or not whole`, { remedy });
  }
  const there = existsSync(join(folder, 'cassettes')) ? listFiles(join(folder, 'cassettes')).sort() : [];
  const isWhole =
    there.length === Object.keys(manifest.files).length &&
    there.every((path) => manifest.files[path] === digestOf(readFileSync(join(folder, 'cassettes', path))));
  if (!isWhole)
    throw userError('bad_argument', `input drift-dir: the files beside ${shown} are not those it names`, { remedy });
  if (manifest.base !== baseSha(env)) {
    throw userError(
      'bad_argument',
      `input drift-dir: it was taken at ${manifest.base.slice(0, 9)}, this job stands at ${baseSha(env).slice(0, 9)}`,
      {
        remedy: 'Check out the same commit in both jobs: the default of actions/checkout does.',
      },
    );
  }
  const exitCodes = { none: 0, drift: 4, unknown: 5 } as const;
  return { ...manifest.report, exitCode: exitCodes[manifest.report.outcome], into: recordingsOf(inputs) };
}

const WORDS: Record<LaneOutcome['operation'], string> = {
  opened: 'opened',
  updated: 'updated',
  unchanged: 'unchanged',
  closed: 'closed',
  blocked: 'not opened: workflows may not open pull requests here',
  stopped: 'left alone: somebody else has worked on its branch',
  none: 'none',
};

async function writeDriftSummary(
  report: Night,
  { outcomes, comparison }: Proposal,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (!env['GITHUB_STEP_SUMMARY']) return;
  const heads = {
    none: `✅ No drift in ${counted(report.attempted, 'case')}`,
    drift: `🔀 ${counted(report.drifted.length, 'case')} of ${report.attempted} drifted`,
    unknown: `❌ Could not tell: ${report.incomparable.length} of ${counted(report.attempted, 'case')} had no answer`,
  };
  const reworded = comparison?.counts.reworded ?? 0;
  const unsettled = comparison?.counts.unsettled ?? 0;
  const lines = [
    `## ${heads[report.outcome]}`,
    '',
    `- spent ${report.spentUsd === 0 ? usd(0) : atLeastUsd(report.spentUsd, report.spentKnownUsd)}`,
    ...(reworded > 0 ? [`- ${counted(reworded, 'case')} only reworded, in no pull request`] : []),
    ...(unsettled > 0
      ? [`- ${counted(unsettled, 'case')} unsettled, in no pull request; \`repeat: 5\` in the case settles it`]
      : []),
    ...(report.unchecked.length > 0
      ? [`- ${counted(report.unchecked.length, 'case')} not asked: the budget ended`]
      : []),
    ...report.incomparable.slice(0, 50).map((one) => `- ${inline(`${one.suite} › ${one.case}`)}: ${inline(one.why)}`),
    ...outcomes
      .filter(({ operation }) => operation !== 'none')
      .map(
        ({ lane, operation, url }) =>
          `- pull request of cases that ${lane === 'accept' ? 'pass' : 'fail'}: ${WORDS[operation]}${url ? ` ${url}` : ''}`,
      ),
    '',
  ];
  const labels = { before: 'committed', after: 'fresh takes' };
  const hasChanges = comparison !== undefined && changeBlocks(comparison).blocks.length > 0;
  const changes = hasChanges ? renderChangesMarkdown(comparison, { all: false, labels }) : '';
  const text = `${lines.join('\n')}\n${changes}`;
  const most = 900 * 1024;
  await summary.addRaw(Buffer.byteLength(text) > most ? lines.join('\n') : text, true).write();
}

/** Ends the step: red where nothing can be told, or where drift shall be. */
function finish(report: Night, outcomes: readonly LaneOutcome[], inputs: Inputs): void {
  setOutput('exit-code', report.exitCode);
  const line = report.outcome === 'drift' ? `${counted(report.drifted.length, 'case')} drifted.` : 'No drift.';
  if (report.outcome === 'unknown') {
    const lost = `${report.incomparable.length} of ${counted(report.attempted, 'case')}`;
    setFailed(`Could not tell: ${lost} had no answer. No pull request was touched.`);
  } else if (outcomes.some(({ operation }) => operation === 'blocked')) {
    setFailed('The drift pull request could not be opened; its branch is there. The warning above says what to allow.');
  } else if (report.outcome === 'drift' && inputs.drift.failOnDrift) setFailed(line);
  else if (report.outcome === 'drift') notice(line);
  else info(line);
}

async function proposeFrom(report: Night, inputs: Inputs, env: NodeJS.ProcessEnv): Promise<Proposal> {
  const base = refuseOtherBranches(env);
  if (report.outcome === 'unknown') return { outcomes: [] };
  if (inputs.token === '')
    throw userError('bad_argument', 'input github-token: it is empty', {
      remedy: 'Leave it out: the job’s own token is the default.',
    });
  const root = projectRoot(inputs.cwd);
  const page = runPage(env);
  return propose({
    github: connect({ token: inputs.token, apiUrl: env['GITHUB_API_URL'], repository: env['GITHUB_REPOSITORY'] ?? '' }),
    report,
    cwd: inputs.cwd,
    root,
    folder: fromWorkspace(root, env),
    env: allowed(inputs.env, env),
    globs: inputs.suites,
    branch: `retake/drift/${inputs.drift.key}`,
    base,
    baseSha: baseSha(env),
    trimmings: inputs.drift.trimmings,
    statusContext: `retake/drift/${inputs.drift.key}`,
    ...(page !== undefined && { runUrl: page }),
    run: thisRun(env, baseSha(env)),
  });
}

/** `command: record`: asks the providers, writes nothing to GitHub. */
export async function recordDrift(inputs: Inputs, env: NodeJS.ProcessEnv): Promise<void> {
  refuseOtherBranches(env);
  const report = await take(inputs, env);
  setDriftOutputs(report, []);
  await writeDriftSummary(report, { outcomes: [], comparison: report.comparison }, env);
  finish(report, [], inputs);
}

/** `command: propose`: asks no provider, writes the pull requests. */
export async function proposeDrift(inputs: Inputs, env: NodeJS.ProcessEnv): Promise<void> {
  const report = readManifest(inputs, env);
  const { outcomes, comparison } = await proposeFrom(report, inputs, env);
  setDriftOutputs(report, outcomes);
  await writeDriftSummary(report, { outcomes, comparison }, env);
  finish(report, outcomes, inputs);
}

/** `command: drift`: both in one job. */
export async function driftAtOnce(inputs: Inputs, env: NodeJS.ProcessEnv): Promise<void> {
  refuseOtherBranches(env);
  const report = await take(inputs, env);
  const { outcomes } = await proposeFrom(report, inputs, env);
  setDriftOutputs(report, outcomes);
  await writeDriftSummary(report, { outcomes, comparison: report.comparison }, env);
  finish(report, outcomes, inputs);
}
