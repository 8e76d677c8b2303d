#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);

/** Some dependencies ask for the working folder as they are loaded, and throw where there is none. */
function hasWorkingFolder() {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}

/** As the commands themselves fail, which can't be loaded here. */
function fail(message, hint) {
  if (process.argv.includes('--json')) {
    const error = { code: 'REQUEST_INVALID', message, hint, details: {} };
    process.stdout.write(`${JSON.stringify({ error })}\n`);
  }
  process.stderr.write(`misstep: ${message} ${hint}\n`);
  process.exitCode = 1;
}

if (!existsSync(main)) {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  fail(
    'Misstep has not been built yet.',
    `Run \`npm start\` once, or \`npm run build\`, in ${root}`,
  );
} else if (!hasWorkingFolder()) {
  fail(
    'The folder that you are in is not there any more, or can not be read.',
    'Nothing was done: change to another folder and give the command again.',
  );
} else {
  await import(main.href);
}
