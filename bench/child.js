// Imports the module its first word names and, at the exit, writes what this process used to file descriptor 3.

import { existsSync, readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module = ''] = process.argv.splice(2, 1);
const start = performance.now();

/** The kernel's maximum for a process counts its parent's pages at the fork; only Linux tells that of our own alone. */
function peakKiB(/** @type {number} */ maxRss) {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? maxRss);
}

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = {
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    runMs: performance.now() - start,
    peakMiB: peakKiB(maxRSS) / 1024,
  };
  writeSync(3, JSON.stringify(used));
});

await import(pathToFileURL(module).href);
