import { describe, expect, test } from 'vitest';
import { explainInstallFailure } from '../lib/explain-install.mjs';
import { pinnedVersion } from '../lib/package-manager.mjs';
import { exitCodeOf } from '../lib/run-command.mjs';
import { checkNodeVersion, missingTools } from '../lib/set-up.mjs';
import { planTests } from '../lib/test-plan.mjs';

test.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0'])('Node %s will do', (version) => {
  expect(() => checkNodeVersion(version)).not.toThrow();
});

test.each(['18.20.0', '20.18.3'])('Node %s is too old', (version) => {
  expect(() => checkNodeVersion(version)).toThrow('needs Node 20.19 or newer');
});

test('the pinned pnpm', () => {
  expect(pinnedVersion('pnpm@12.4.2')).toBe('12.4.2');
  expect(pinnedVersion('pnpm@12.4.2+sha512.abc')).toBe('12.4.2');
  expect(() => pinnedVersion(undefined)).toThrow('pins no pnpm version');
  expect(() => pinnedVersion('yarn@4.0.0')).toThrow('pins no pnpm version');
});

test('what compiling lacks', () => {
  expect(missingTools(() => true)).toEqual([]);
  expect(missingTools((name) => name !== 'python3' && name !== 'python')).toEqual(['python3']);
  expect(missingTools((name) => ['python', 'make', 'clang++'].includes(name))).toEqual([]);
});

describe('a failed install is explained', () => {
  const known = { missingTools: [], pnpmVersion: '12.4.2' };

  test.each([
    ['ERR_PNPM_OUTDATED_LOCKFILE', 'does not fit the package.json files'],
    ['gyp ERR! fatal error: node.h: No such file', 'headers were not found'],
    ['better-sqlite3 install: error: no member named', 'could not be compiled'],
    ['request failed: getaddrinfo ENOTFOUND', 'could not be fetched'],
    ['write failed: ENOSPC', 'disk is full'],
    ['something else', 'could not be installed'],
  ])('%s', (log, message) => {
    const why = explainInstallFailure(log, known);
    expect(why.message).toContain(message);
    expect(why.next).not.toBe('');
  });

  test('a missing tool is named before anything that follows from it', () => {
    const log = 'gyp ERR! find Python ... gyp ERR! node.h';
    const why = explainInstallFailure(log, { ...known, missingTools: ['python3'] });
    expect(why.message).toContain('missing: python3');
  });
});

test('exit codes as a shell reports them', () => {
  expect(exitCodeOf(3, null)).toBe(3);
  expect(exitCodeOf(null, 'SIGTERM')).toBe(143);
  expect(exitCodeOf(null, 'SIGINT')).toBe(130);
});

describe('what npm test runs', () => {
  test('everything, without arguments', () => {
    expect(planTests([])).toEqual({ checks: true, vitest: true, playwright: true, filters: [] });
  });

  test('only unit tests below a path', () => {
    expect(planTests(['packages/json'])).toEqual({
      checks: false,
      vitest: true,
      playwright: false,
      filters: ['packages/json'],
    });
  });

  test('only browser flows', () => {
    expect(planTests(['--e2e', 'mark-step'])).toEqual({
      checks: false,
      vitest: false,
      playwright: true,
      filters: ['mark-step'],
    });
  });
});
