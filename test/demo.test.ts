// The README's demo runs as it stands there: recorded from the live model, replayed without it, and a miss explained.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('npm run demo', () => {
  const demo = spawnSync(process.execPath, ['scripts/demo.js'], { cwd: ROOT, encoding: 'utf8' });
  expect(demo.stderr).toBe('');
  expect(demo.status).toBe(0);
  expect(demo.stdout).toContain('answers  0 from cassettes · 9 live · 0 unused (record)');
  expect(demo.stdout).toContain('answers  9 from cassettes · 0 live · 0 unused (replay)');
  expect(demo.stdout).toContain(`? unrecorded  weather › looks_up_the_weather_in_oslo and 2 more cases   take 1, turn 1
    tools[0].description differs from the recording
      recorded  "The weather of a city today."
      now       "The weather of a city right now."
    The description is part of what the model is asked, so 3 cases of weather need a new take.
    retake record evals/weather.eval.yaml
`);
}, 60_000);
