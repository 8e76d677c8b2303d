import type { ParseArgsConfig } from 'node:util';
import { expect, test } from 'vitest';
import { serveCommand } from '../src/commands/serve.ts';
import { COMMON_OPTIONS } from '../src/help.ts';

// The scripts run before anything is built, so they are no part of these types.
const script: {
  serveOptions: NonNullable<ParseArgsConfig['options']>;
  checkServeArguments: (args: string[]) => void;
} = await import(new URL('../../../scripts/lib/serve-options.mjs', import.meta.url).href);
const { checkServeArguments, serveOptions } = script;

test('npm start knows the options of misstep serve, and no others', () => {
  const known = Object.entries({ ...serveCommand.options, ...COMMON_OPTIONS });
  expect(Object.keys(serveOptions).toSorted()).toEqual(known.map(([name]) => name).toSorted());
  for (const [name, { type }] of known) expect(serveOptions[name]?.type).toBe(type);
});

test('what serve would refuse is refused before anything is installed', () => {
  expect(() => checkServeArguments(['--bogus'])).toThrow(/--bogus.*Nothing was installed/s);
  expect(() => checkServeArguments(['--port'])).toThrow(/Nothing was installed/);
  expect(() => checkServeArguments(['surplus'])).toThrow(/Nothing was installed/);
  expect(() => checkServeArguments(['--port', '0', '--json'])).not.toThrow();
});
