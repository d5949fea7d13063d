#!/usr/bin/env node
// The command `retake`: tells its version at once, loads everything else only when asked for it.
const VERSION = '0.1.0';
const words = process.argv.slice(2);
if (words.length === 1 && ['--version', '-V', 'version'].includes(words[0])) {
    process.stdout.write(`${VERSION}\n`);
}
else {
    await import('./retake.js');
}
