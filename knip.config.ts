import { readdirSync } from 'node:fs';
import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  // Whether something belongs to a package's surface is said by its index.ts alone. An export that
  // its own file uses is alive; that nobody else takes it is no reason to fail.
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    // Run by path from scripts/lib/check-steps.mjs.
    '@biomejs/biome',
    // Gives the workspace its command: `npx misstep` at the root.
    '@misstep/cli',
    // Named in a stylesheet by the path of its font files.
    /^@fontsource-variable\//,
    // Published servers that tests start by the path of their command.
    /^@modelcontextprotocol\/server-/,
  ],
  // A program of the system, which a test makes its named pipe with.
  ignoreBinaries: ['mkfifo'],
  workspaces: {
    '.': { entry: ['scripts/*.mjs'], project: ['scripts/**/*.{mjs,ts}', '*.ts'] },
    'apps/cli': { entry: ['src/main.ts', 'bin/misstep.js'] },
    'apps/server': { entry: ['src/jobs/*-worker.ts', 'test/*.mjs'] },
    'apps/web': { entry: ['index.html', 'e2e/**/*.ts'] },
    ...Object.fromEntries(
      readdirSync('packages')
        .filter((name) => readdirSync(`packages/${name}`).includes('package.json'))
        .map((name) => [
          `packages/${name}`,
          // Workers and child processes are started by path, which no import shows.
          {
            entry: [
              'src/**/*worker.ts',
              'src/**/main.ts',
              'src/**/*.bench.ts',
              '{hooks,servers}/*.mjs',
            ],
          },
        ]),
    ),
  },
};

export default config;
