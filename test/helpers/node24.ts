// Puts a Node 24 beside the Node that runs the tests: the runner executes the action with it.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const VERSION = '24.22.3';
/** Its own prefix: as a dependency of the root it would take over every `npm run`. */
const PREFIX = fileURLToPath(new URL('../../node_modules/.cache/node24', import.meta.url));
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const BINARY = `${PREFIX}/node_modules/${PACKAGE}/bin/node${process.platform === 'win32' ? '.exe' : ''}`;

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a Node 24; empty where it could not be installed. */
    node24: string;
  }
}

function versionOf(binary: string): string | undefined {
  return existsSync(binary) ? execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim() : undefined;
}

function install(): void {
  const args = ['install', '--prefix', PREFIX, '--no-save', '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`];
  // npm is a script of cmd's on Windows, which only a shell can start; nothing in the arguments needs quoting.
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
}

/** Vitest calls this once before all tests. */
export function setup(project: TestProject): void {
  const [, major] = /^v(\d+)\./.exec(process.version) ?? [];
  if (major === '24') {
    project.provide('node24', process.execPath);
    return;
  }
  try {
    if (versionOf(BINARY) !== `v${VERSION}`) install();
    project.provide('node24', BINARY);
  } catch (error) {
    // Without a network the other tests can still be run; those of the action fail and say why.
    console.error(`Node ${VERSION} could not be installed: ${String(error)}`);
    project.provide('node24', '');
  }
}
