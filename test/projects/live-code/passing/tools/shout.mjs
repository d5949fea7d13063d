import { readFileSync } from 'node:fs';

console.log(`${readFileSync(0, 'utf8').toUpperCase()}!`);
