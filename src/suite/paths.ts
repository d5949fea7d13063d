// Paths as the project names them, and what its suites look like.

import path from 'node:path';

/** The project's configuration, in its root. */
export const CONFIG_FILE = 'retake.yaml';

/** Which files are suites where nothing else is said. */
export const DEFAULT_GLOBS = ['**/*.eval.yaml', '**/*.eval.yml'];

/** Where no suite is looked for. */
export const IGNORED = ['**/node_modules/**', '**/.git/**', '**/.retake/**', '**/dist/**'];

/** What to do where there is no suite. */
export const MINIMAL_SUITE = `Write one, such as evals/greeting.eval.yaml:

name: greeting
model: openai/gpt-4.1-mini
system: You greet people by name.
cases:
  - name: greets
    input: Hello, I am Ada.
    expect:
      - final_contains: Ada`;

/** A path with POSIX separators. */
export function toPosix(file: string): string {
  return path.sep === '/' ? file : file.split(path.sep).join('/');
}

/** The path from the root to a file, or undefined where the file is outside. */
export function within(root: string, file: string): string | undefined {
  const relative = path.relative(root, file);
  const outside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return outside ? undefined : toPosix(relative);
}
