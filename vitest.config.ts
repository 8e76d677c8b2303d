import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Tests read the packages' source through the `source` condition; only worker threads and
// child processes need the built output, which `npm test` makes first.
const conditions = ['source', 'module', 'node', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      'apps/*/{src,test}/**/*.test.{ts,tsx}',
      'scripts/**/*.test.ts',
    ],
    setupFiles: ['./scripts/lib/property-seed.mjs'],
    pool: 'threads',
    // Many tests wait for a child process: keeping one core free, as is the custom, leaves it idle.
    maxWorkers: availableParallelism(),
    // Generous: a busy machine is slow, and a test that waits for a condition costs nothing extra.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
