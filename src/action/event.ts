// What a runner says of the event: which pull request, which commits. Every string of it is somebody else's.

import { readFileSync } from 'node:fs';

/** A pull request as an event tells it. */
export interface EventPullRequest {
  number: number;
  headSha: string;
  baseSha: string;
  baseRef: string;
}

/** A finished run of another workflow, as `workflow_run` tells it. */
export interface EventRun {
  id: number;
  attempt: number;
  conclusion: string;
  url: string;
  headSha: string;
  headBranch: string;
  headOwner: string;
  /** `owner/name`; empty where the fork is gone. */
  headRepository: string;
}

/** An event. */
export interface Event {
  name: string;
  pullRequest?: EventPullRequest;
  run?: EventRun;
  /** The commit that a merge queue's group stands on. */
  mergeBaseSha?: string;
  /** The commit a push replaced; absent where the branch is new. */
  before?: string;
}

type Unknown = Record<string, unknown>;

function inner(value: unknown, key: string): Unknown {
  const found = (value as Unknown | null | undefined)?.[key];
  return typeof found === 'object' && found !== null ? (found as Unknown) : {};
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const number = (value: unknown) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0);
const sha = (value: unknown) => (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text(value)) ? text(value) : '');

function pullRequestOf(payload: Unknown): EventPullRequest | undefined {
  const found = inner(payload, 'pull_request');
  if (number(found['number']) === 0) return undefined;
  const base = inner(found, 'base');
  return {
    number: number(found['number']),
    headSha: sha(inner(found, 'head')['sha']),
    baseSha: sha(base['sha']),
    baseRef: text(base['ref']),
  };
}

function runOf(payload: Unknown): EventRun | undefined {
  const found = inner(payload, 'workflow_run');
  if (number(found['id']) === 0) return undefined;
  const head = inner(found, 'head_repository');
  return {
    id: number(found['id']),
    attempt: number(found['run_attempt']) || 1,
    conclusion: text(found['conclusion']),
    url: text(found['html_url']),
    headSha: sha(found['head_sha']),
    headBranch: text(found['head_branch']),
    headOwner: text(inner(head, 'owner')['login']),
    headRepository: text(head['full_name']),
  };
}

function payloadOf(file: string | undefined): Unknown {
  if (!file) return {};
  try {
    const payload: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof payload === 'object' && payload !== null ? (payload as Unknown) : {};
  } catch {
    // Local runners often have none.
    return {};
  }
}

/** Reads the event of this job. What is missing or malformed is absent. https://docs.github.com/webhooks/webhook-events-and-payloads */
export function readEvent(env: NodeJS.ProcessEnv): Event {
  const payload = payloadOf(env['GITHUB_EVENT_PATH']);
  const pullRequest = pullRequestOf(payload);
  const run = runOf(payload);
  const mergeBaseSha = sha(inner(payload, 'merge_group')['base_sha']);
  const before = sha(payload['before']);
  return {
    name: env['GITHUB_EVENT_NAME'] ?? '',
    ...(pullRequest && { pullRequest }),
    ...(run && { run }),
    ...(mergeBaseSha !== '' && { mergeBaseSha }),
    ...(before !== '' && !/^0+$/.test(before) && { before }),
  };
}
