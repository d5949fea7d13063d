import { readFileSync } from 'node:fs';

/** @type {Record<string, () => void>} */
const WAYS = {
  exit() {
    console.error('Traceback: nothing works');
    process.exitCode = 3;
  },
  hang: () => setInterval(() => {}, 1000),
  flood() {
    const line = 'x'.repeat(65536);
    const on = () => {
      while (process.stdout.write(line));
    };
    process.stdout.on('drain', on);
    on();
  },
  say: () => console.log('else'),
  rubbish: () => console.log('80 % I would say'),
  list: () => console.log('[1]'),
  high: () => console.log('{"score": 7}'),
  low: () => console.log('{"score": 0.4, "reason": "too short"}'),
  no: () => console.log('{"passed": false}'),
};
const way = process.argv[2] ?? readFileSync(0, 'utf8');
WAYS[way]?.();
