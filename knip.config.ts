import { readdirSync, readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/**
 * Rooms whose dependencies are declared ahead of their code: there, an unused one is no finding
 * until all are used. The list has to go when the last room is built, else it would go on hiding
 * what a room stops using.
 */
const roomsToBeBuilt: readonly string[] = [
  'apps/web',
  'packages/importers',
  'packages/model',
  'packages/store',
];

/** Declared packages whose name stands in none of the room's files. */
function undelivered(room: string): string[] {
  const manifest = JSON.parse(readFileSync(`${room}/package.json`, 'utf8'));
  const text = readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(src|test|e2e|[^/]*\.config\.ts)/.test(file) && /\.(tsx?|css)$/.test(file))
    .map((file) => readFileSync(`${room}/${file}`, 'utf8'))
    .join('\n');
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    (name) => !name.startsWith('@types/') && !text.includes(`'${name}`),
  );
}

const roomsInWork = roomsToBeBuilt.filter((room) => undelivered(room).length > 0);
if (roomsToBeBuilt.length > 0 && roomsInWork.length === 0) {
  throw new Error('Every room is built: remove roomsToBeBuilt from knip.config.ts');
}

function room(name: string, entry: string[]) {
  return { entry, ...(roomsInWork.includes(name) ? { ignoreDependencies: [/.*/] } : {}) };
}

const config: KnipConfig = {
  // Whether something belongs to a package's surface is said by its index.ts alone. An export that
  // its own file uses is alive; that nobody else takes it is no reason to fail.
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    // Run by path from scripts/lib/check-steps.mjs.
    '@biomejs/biome',
    // Handed to node by scripts/bench.mjs (--import tsx).
    'tsx',
    // Used by browser flows, of which there may be none that looks for it yet.
    '@axe-core/playwright',
    // Published servers that tests start by the path of their command.
    /^@modelcontextprotocol\/server-/,
  ],
  workspaces: {
    '.': { entry: ['scripts/*.mjs'], project: ['scripts/**/*.{mjs,ts}', '*.ts'] },
    'apps/cli': room('apps/cli', ['src/main.ts', 'bin/misstep.js']),
    'apps/server': room('apps/server', ['src/jobs/*-worker.ts']),
    'apps/web': room('apps/web', ['index.html', 'e2e/**/*.ts']),
    ...Object.fromEntries(
      readdirSync('packages')
        .filter((name) => readdirSync(`packages/${name}`).includes('package.json'))
        .map((name) => [
          `packages/${name}`,
          // Workers and child processes are started by path, which no import shows.
          room(`packages/${name}`, [
            'src/**/*worker.ts',
            'src/**/main.ts',
            'src/**/*.bench.ts',
            'servers/*.mjs',
          ]),
        ]),
    ),
  },
};

export default config;
