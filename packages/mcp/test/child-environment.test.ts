import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../src/index.ts';

describe('childEnvironment', () => {
  it('passes on what a program needs to run, and nothing else', () => {
    const own = {
      PATH: '/bin',
      HOME: '/home/x',
      LC_ALL: 'C',
      LANG: '() { echo; }',
      SHOP_TOKEN: 'secret',
      NODE_OPTIONS: '--require=./x.js',
      LD_PRELOAD: '/x.so',
      TZ: undefined,
    };
    expect(childEnvironment(own, 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/home/x',
      LC_ALL: 'C',
    });
  });

  it('knows the names of Windows, in any case', () => {
    const own = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', SHOP_TOKEN: 'secret' };
    expect(childEnvironment(own, 'win32')).toEqual({ Path: 'C:\\bin', SystemRoot: 'C:\\Windows' });
  });
});
