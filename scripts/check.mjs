// npm run check: everything that can be judged without running the product.
import { directionStep, runChecks, staticSteps, typesStep } from './lib/check-steps.mjs';
import { setUp } from './lib/set-up.mjs';
import { runScript } from './lib/words.mjs';

await runScript(async () => {
  await setUp();
  return (await runChecks([typesStep, ...staticSteps, directionStep])) === 0 ? 0 : 1;
});
