// A throwaway project on disk, and the refund agent that most tests of the command line run.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Asked, Decide, Said } from './provider-server.ts';

/** A folder of files that goes when it is disposed. Paths are relative to it, with `/`. */
export interface ProjectFolder extends Disposable {
  folder: string;
  read(path: string): string;
  write(path: string, content: string | Uint8Array): void;
  /** Replaces the one place where `old` stands; throws where there is none or more. */
  edit(path: string, old: string, now: string): void;
  remove(path: string): void;
  /** All files below `path`, sorted; without those of git. None where there is no such folder. */
  files(path?: string): string[];
  /** All files below `path` with what they hold. */
  contents(path?: string): Record<string, string>;
}

/** Writes files into a fresh folder. */
export function newProject(files: Record<string, string | Uint8Array>): ProjectFolder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'retake-e2e-')));
  const project: ProjectFolder = {
    folder,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write(path, content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
    edit(path, old, now) {
      const parts = project.read(path).split(old);
      if (parts.length !== 2) throw new Error(`${old} stands ${parts.length - 1} times in ${path}`);
      project.write(path, parts.join(now));
    },
    remove: (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    files(path = '.') {
      if (!existsSync(join(folder, path))) return [];
      const entries = readdirSync(join(folder, path), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        .filter((file) => !file.startsWith('.git/'))
        .sort();
    },
    contents: (path) => Object.fromEntries(project.files(path).map((file) => [file, project.read(file)])),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  return project;
}

/** A config whose only provider is at `baseUrl`, with a key in LOCAL_KEY. */
export function configOf(baseUrl: string): string {
  return `version: 1
defaults: {provider: local, model: small, max_retries: 0}
concurrency: 2
providers:
  local: {base_url: "${baseUrl}", api_key_env: LOCAL_KEY}
`;
}

/** The variables a recording needs. */
export const KEY = { LOCAL_KEY: 'k-1' };

/** A suite of the given cases: name, and further lines of the case. */
export function refundSuite(cases: Record<string, string>): string {
  const listed = Object.entries(cases).map(([name, more]) => `  - name: ${name}\n    input: Refund ${name}.\n${more}`);
  return `name: refunds
description: Refunds of small orders
system: You are a support agent.
params: {temperature: 0}
tools:
  - name: lookup_order
    description: Look up an order by id.
    input_schema: {type: object, properties: {order_id: {type: string}}, required: [order_id]}
  - name: issue_refund
    description: Refund an order.
    input_schema: {type: object, properties: {order_id: {type: string}}, required: [order_id]}
mocks:
  lookup_order:
    - return: {total: 20, status: delivered}
  issue_refund:
    - return: {refund_id: R-1}
expect:
  - max_turns: 3
cases:
${listed.join('')}`;
}

/** What the refund agent does in its three turns: looks up, refunds, answers. `stamp` is in everything it says. */
export function refund({ input, turn }: Pick<Asked, 'input' | 'turn'>, stamp = 'A-1'): Said {
  if (turn === 1) return { calls: [{ name: 'lookup_order', arguments: { order_id: stamp } }] };
  if (turn === 2) return { calls: [{ name: 'issue_refund', arguments: { order_id: stamp } }] };
  return { text: `${input} Done, ${stamp}.` };
}

/** The refund agent, the same every time. */
export const steadyRefund: Decide = (asked) => refund(asked);
