// npm run build: a runnable CLI from a fresh clone.
import { buildTypes, buildWeb } from './lib/build-steps.mjs';
import { setUp } from './lib/set-up.mjs';
import { runScript, say } from './lib/words.mjs';

await runScript(async () => {
  await setUp();
  say('Compiling ...');
  await buildTypes();
  say((await buildWeb()) ? 'Built the browser side.' : 'The browser side is up to date.');
  say('Ready: npx misstep --help');
  return 0;
});
