// `command: comment`: tells a fork's pull request what its own run found, in a job that has the right to write and runs nothing of it.

import { readFileSync, statSync } from 'node:fs';
import { info, notice, setOutput } from '@actions/core';
import { userError } from '../errors.ts';
import { connect, type GitHub } from '../github/client.ts';
import type { ReportContext } from '../render/verdict.ts';
import type { RunResult } from '../run/result.ts';
import { runResultSchema } from '../run/result-schema.ts';
import { type EventRun, readEvent } from './event.ts';
import type { Inputs } from './inputs.ts';
import { fromWorkspace, writeComment, writeSummary } from './step.ts';

/** The most a result document may take, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The result of the other run; every string of it is a stranger's. Throws UserError where it is none. */
function readResult(file: string, env: NodeJS.ProcessEnv): RunResult {
  const shown = fromWorkspace(file, env);
  const remedy = 'Upload report.json in the gate’s workflow and download it here; name the file with the input result.';
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw userError('bad_argument', `input result: there is no file ${shown}`, { remedy });
  if (stat.size > MOST_BYTES)
    throw userError('bad_argument', `input result: ${shown} is larger than 64 MB`, { remedy });
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw userError('bad_argument', `input result: ${shown} is not JSON`, { remedy });
  }
  const read = runResultSchema.safeParse(document);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue ? ` at ${issue.path.join('.') || 'its root'}` : '';
  throw userError('bad_argument', `input result: ${shown} is no result document of this version${where}`, {
    remedy: 'Use the same version of the action in both workflows.',
  });
}

/** The open pull request of a fork's branch at exactly the commit that was run; undefined unless there is exactly one. A number from the other run would be a stranger's word. */
async function findPullRequest({ api, where }: GitHub, run: EventRun): Promise<number | undefined> {
  if (run.headOwner === '' || run.headBranch === '' || run.headSha === '') return undefined;
  const { data } = await api.request('GET /repos/{owner}/{repo}/pulls', {
    ...where,
    state: 'open',
    head: `${run.headOwner}:${run.headBranch}`,
    per_page: 100,
  });
  const full = `${where.owner}/${where.repo}`.toLowerCase();
  const found = data.filter(
    ({ head, base }) =>
      head.sha === run.headSha &&
      head.repo?.full_name.toLowerCase() === run.headRepository.toLowerCase() &&
      base.repo.full_name.toLowerCase() === full,
  );
  return found.length === 1 ? found[0]?.number : undefined;
}

function skip(why: string): void {
  setOutput('comment-url', '');
  setOutput('comment-status', 'skipped');
  notice(why);
}

/** Comments for another workflow's run. Throws UserError. */
export async function companion(inputs: Inputs, env: NodeJS.ProcessEnv): Promise<void> {
  const event = readEvent(env);
  const { run } = event;
  if (event.name !== 'workflow_run' || !run) {
    throw userError('bad_argument', `command comment runs on workflow_run, not on ${event.name || 'this event'}`, {
      remedy: 'Use it in a workflow with `on: workflow_run`, or leave `command` out for the gate.',
    });
  }
  if (inputs.token === '') {
    throw userError('bad_argument', 'input github-token: it is empty', {
      remedy: 'Leave it out: the job’s own token is the default.',
    });
  }
  if (run.headRepository.toLowerCase() === (env['GITHUB_REPOSITORY'] ?? '').toLowerCase())
    return skip('The run is this repository’s own: its gate has commented itself.');
  const result = readResult(inputs.result, env);
  const github = connect({
    token: inputs.token,
    apiUrl: env['GITHUB_API_URL'],
    repository: env['GITHUB_REPOSITORY'] ?? '',
  });
  const number = await findPullRequest(github, run);
  const context: ReportContext = {
    commit: run.headSha,
    ...(run.url !== '' && { runUrl: run.url, reportUrl: run.url }),
    failOn: inputs.failOn,
    ...(inputs.templates !== undefined && { templates: inputs.templates }),
    notes: [
      `Reported by the fork's own run, which ended with ${/^[a-z_]{1,30}$/.test(run.conclusion) ? run.conclusion : 'an unknown conclusion'}: its numbers are its own, its conclusion is GitHub's.`,
    ],
  };
  const told = { result, context };
  await writeSummary(told, env);
  if (number === undefined)
    return skip('No open pull request stands at exactly the commit that was run; nothing is commented.');
  const tells = { sha: run.headSha, run: run.id, attempt: run.attempt };
  await writeComment(told, { inputs, env, number, run: tells });
  info(`Told pull request #${number}.`);
}
