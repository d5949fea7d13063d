// How the tests run.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/node24.ts'],
    setupFiles: ['test/helpers/no-network.ts'],
    reporters: ['default', './test/helpers/tally-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // They import JSON the way bundlers do.
    server: { deps: { inline: [/@actions\/(?:workflow-parser|expressions)/] } },
  },
});
