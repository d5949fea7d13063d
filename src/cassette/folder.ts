// What lies in a folder of cassettes, whoever put it there. [edge]

import { copyFileSync, type Dirent, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `<suite>/prompts/<digest>.yaml`: two folders below the one of all cassettes. */
const DEEPEST = 2;

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function below(folder: string, depth: number): string[] {
  return entriesOf(folder).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    if (entry.isFile()) return [entry.name];
    if (!entry.isDirectory() || depth === 0) return [];
    return below(join(folder, entry.name), depth - 1).map((name) => `${entry.name}/${name}`);
  });
}

/** The files of a folder and of the two levels below it, as deep as cassettes lie, with `/`, in code-unit order; neither links nor hidden files. */
export function listFiles(folder: string): string[] {
  return below(folder, DEEPEST).sort();
}

/** The visible YAML files of one folder. */
export function listYaml(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name }) => (name.endsWith('.yaml') && !name.startsWith('.') ? [name] : []));
}

/** Removes a folder below `root`, and those it lies in, as long as they are empty; never `root` itself. */
export function removeEmpty(root: string, folder: string): void {
  for (let path = folder; path !== '.'; path = dirname(path)) {
    try {
      rmdirSync(join(root, path));
    } catch {
      // Something lies there, or it is gone already.
      return;
    }
  }
}

/** Copies the file at `path` of one folder to the same path of another that git ignores, replacing what stands there. */
export function copyAside(from: string, to: string, path: string): void {
  mkdirSync(dirname(join(to, path)), { recursive: true });
  writeFileSync(join(to, '.gitignore'), '*\n');
  copyFileSync(join(from, path), join(to, path));
}
