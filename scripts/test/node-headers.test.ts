import { describe, expect, test } from 'vitest';
import { chooseNodedir } from '../lib/node-headers.mjs';

/** A machine with headers of the given Node majors in the given folders. */
function machine(headers: Record<string, number>) {
  return {
    fromEnvironment: undefined,
    fromNpm: undefined,
    nodeBinary: '/opt/node/bin/node',
    nodeVersion: '22.1.0',
    read: (file: string) => {
      const [folder = '', name] = file.split('/include/node/');
      const major = headers[folder];
      if (major === undefined) return undefined;
      return name === 'node_version.h' ? `#define NODE_MAJOR_VERSION ${major}\n` : '';
    },
  };
}

const everywhere = machine({ '/a': 22, '/b': 22, '/opt/node': 22 });

describe("where Node's headers are", () => {
  test('the environment wins', () => {
    expect(chooseNodedir({ ...everywhere, fromEnvironment: '/a', fromNpm: '/b' })).toBe('/a');
  });

  test("then npm's configuration", () => {
    expect(chooseNodedir({ ...everywhere, fromNpm: '/b' })).toBe('/b');
    expect(chooseNodedir({ ...machine({}), fromNpm: '/source-tree' })).toBe('/source-tree');
  });

  test("but not when it was set for another Node's headers", () => {
    expect(chooseNodedir({ ...machine({ '/b': 20 }), fromNpm: '/b' })).toBeUndefined();
    const both = machine({ '/b': 20, '/opt/node': 22 });
    expect(chooseNodedir({ ...both, fromNpm: '/b' })).toBe('/opt/node');
  });

  test.each(['undefined', 'null', ''])('npm prints %j for nothing', (fromNpm) => {
    expect(chooseNodedir({ ...machine({}), fromNpm })).toBeUndefined();
  });

  test('then beside the binary, but only where they are and fit', () => {
    expect(chooseNodedir(everywhere)).toBe('/opt/node');
    expect(chooseNodedir(machine({ '/opt/node': 20 }))).toBeUndefined();
  });

  test('else node-gyp is left to itself', () => {
    expect(chooseNodedir(machine({}))).toBeUndefined();
  });
});
