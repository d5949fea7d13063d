// Passes where the answer has at most so many characters.

import { readFileSync } from 'node:fs';

const { output } = JSON.parse(readFileSync(0, 'utf8'));
const most = Number(process.argv[2]);
const passed = output.length <= most;
console.log(JSON.stringify({ passed, reason: `${output.length} characters, at most ${most}` }));
