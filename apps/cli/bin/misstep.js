#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);

if (existsSync(main)) {
  await import(main.href);
} else {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  process.stderr.write(
    `misstep: Misstep has not been built yet. Run \`npm start\` once, or \`npm run build\`, in ${root}\n`,
  );
  process.exitCode = 1;
}
