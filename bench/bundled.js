// Bundles engine.js and loads it: what benches call runs as in dist/, not through a loader.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

/**
 * The engine's functions, bundled.
 * @returns {Promise<typeof import('./engine.js')>}
 */
export async function bundledEngine() {
  const result = await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    logLevel: 'silent',
    // The bundle lies where no package is.
    ssr: { noExternal: true },
    build: {
      ssr: 'bench/engine.js',
      write: false,
      minify: false,
      target: 'node20',
      // One file: what is loaded later would be gone by then.
      rollupOptions: { external: [/^node:/], output: { codeSplitting: false } },
    },
  });
  const { output } = /** @type {{ output: { code: string }[] }} */ (/** @type {unknown} */ (result));
  if (output.length !== 1) throw new Error('the engine was bundled into more than one file');
  const folder = mkdtempSync(join(tmpdir(), 'retake-bench-engine-'));
  try {
    const file = join(folder, 'engine.mjs');
    writeFileSync(file, output[0]?.code ?? '');
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
