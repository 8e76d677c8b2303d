/**
 * @typedef {object} TestPlan
 * @property {boolean} checks types, lint, format, unused code, sizes
 * @property {boolean} vitest
 * @property {boolean} playwright
 * @property {string[]} filters handed to the one runner that is left
 */

/**
 * What `npm test -- ...` asks for: nothing = all of it, `--e2e [spec]` = only the browser flows,
 * a path = only the unit tests below it.
 * @param {readonly string[]} args
 * @returns {TestPlan}
 */
export function planTests(args) {
  const filters = args.filter((arg) => arg !== '--e2e');
  if (args.includes('--e2e')) return { checks: false, vitest: false, playwright: true, filters };
  const whole = filters.length === 0;
  return { checks: whole, vitest: true, playwright: whole, filters };
}
