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
    pool: 'threads',
    testTimeout: 30_000,
  },
});
