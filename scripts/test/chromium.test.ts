import { describe, expect, test } from 'vitest';
import { chooseChromium, waysToBring } from '../lib/chromium.mjs';

/** A machine on which only the given files are programs. */
function machine(programs: readonly string[], env: Record<string, string> = {}) {
  return {
    env,
    findOnPath: (name: string) => programs.find((program) => program === `/usr/bin/${name}`),
    isProgram: (file: string) => programs.includes(file),
    playwrightCopy: () => '/cache/playwright/chrome',
  };
}

describe('which Chromium is used', () => {
  const all = ['/mine', '/usr/bin/chromium', '/usr/bin/google-chrome', '/cache/playwright/chrome'];

  test('the one that the person named', () => {
    expect(chooseChromium(machine(all, { CHROMIUM_PATH: '/mine' }))).toBe('/mine');
  });

  test('the one that npm test found comes before that', () => {
    const env = { CHROMIUM_PATH: '/usr/bin/google-chrome', MISSTEP_CHROMIUM: '/mine' };
    expect(chooseChromium(machine(all, env))).toBe('/mine');
  });

  test('then chromium, chromium-browser, google-chrome on PATH', () => {
    expect(chooseChromium(machine(all))).toBe('/usr/bin/chromium');
    const others = ['/usr/bin/google-chrome', '/usr/bin/chromium-browser'];
    expect(chooseChromium(machine(others))).toBe('/usr/bin/chromium-browser');
    expect(chooseChromium(machine(['/usr/bin/google-chrome']))).toBe('/usr/bin/google-chrome');
  });

  test("then Playwright's own copy, but only if it is there", () => {
    expect(chooseChromium(machine(['/cache/playwright/chrome']))).toBe('/cache/playwright/chrome');
    expect(chooseChromium(machine([]))).toBeUndefined();
  });

  test('a named one that is not there is said, not passed over', () => {
    expect(() => chooseChromium(machine(all, { CHROMIUM_PATH: '/gone' }))).toThrow(
      'CHROMIUM_PATH names /gone, which is not a program.',
    );
  });
});

test('Debian packages are only for root', () => {
  expect(waysToBring({ isRoot: true, hasApt: true })).toEqual(['apt', 'playwright']);
  expect(waysToBring({ isRoot: false, hasApt: true })).toEqual(['playwright']);
  expect(waysToBring({ isRoot: true, hasApt: false })).toEqual(['playwright']);
});
