// A throwaway project on disk, and what loading it comes to.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Fault, UserError } from '../../src/errors.ts';
import { type LoadOptions, loadProject, type Project } from '../../src/suite/load.ts';
import type { PlannedCase } from '../../src/suite/plan.ts';

/** Writes files into a fresh folder that goes with the test. Its path is returned. */
export function writeProject(files: Record<string, string | Uint8Array>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'retake-suite-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

type Options = Partial<LoadOptions>;

/** Loads files as a project. */
export function load(files: Record<string, string | Uint8Array>, options: Options = {}): Project {
  return loadProject({ cwd: writeProject(files), globs: [], env: {}, ...options });
}

/** A fault on one line: `file:line:column message`. */
export function faultLine({ place, message, code }: Fault): string {
  const where = place ? [place.file, place.line, place.column].filter((part) => part !== undefined).join(':') : '-';
  return `${where} ${message}${code === 'not_supported' ? ' (not_supported)' : ''}`;
}

/** The faults of loading; none where it succeeds. */
export function faultsOf(run: () => unknown): Fault[] {
  try {
    run();
  } catch (error) {
    if (error instanceof UserError) return [...error.faults];
    throw error;
  }
  return [];
}

/** The faults of a project of these files, a line each. */
export function faultLines(files: Record<string, string | Uint8Array>, options: Options = {}): string[] {
  const cwd = writeProject(files);
  return faultsOf(() => loadProject({ cwd, globs: [], env: {}, ...options })).map(faultLine);
}

/** The only case of a suite. */
export function onlyCase(suite: string, others: Record<string, string> = {}, options: Options = {}): PlannedCase {
  const { suites } = load({ 'a.eval.yaml': suite, ...others }, options);
  const [first] = suites[0]?.cases ?? [];
  if (!first) throw new Error('no case');
  return first;
}
