// Before every test file: property tests start from one seed, so that a failure comes from a change
// and comes again. `npm run fuzz` sets others (docs/decisions/0100).
import fc from 'fast-check';

const seed = Number.parseInt(process.env.MISSTEP_SEED ?? '20261130', 10);
if (!Number.isInteger(seed)) throw new Error('MISSTEP_SEED has to be a whole number.');
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
