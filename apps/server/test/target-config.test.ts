import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@misstep/contract';
import { parseJson } from '@misstep/json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripJsonc } from '../src/services/target-config/strip-jsonc.ts';
import { suggestName } from '../src/services/target-config/suggest-name.ts';
import { call, openTestApp, openTestServices } from './support.ts';

const KEY = 'shelf-key-0123456789';

async function read(text: string) {
  const services = await openTestServices();
  return services.targetConfigs.read(text);
}

describe('the servers of a configuration', () => {
  test('of Claude Desktop, Claude Code and Cursor', async () => {
    const { form, entries, issues } = await read(`{
      "mcpServers": {
        "shelves": {"command": "npx", "args": ["-y", "@example/shelves", "--root", "/srv/a b"], "env": {"SHELF_KEY": "${KEY}", "DEPTH": 3}},
        "remote": {"type": "http", "url": "https://shelves.example/mcp", "headers": {"Authorization": "Bearer \${SHELF_TOKEN}", "X-Plan": "\${env:PLAN}"}},
        "old": {"type": "sse", "url": "https://shelves.example/sse"},
        "off": {"command": "node", "args": [], "disabled": true, "alwaysAllow": ["x"]}
      }, "theme": "dark"}`);
    expect([form, issues]).toEqual(['json', []]);
    expect(entries).toMatchObject([
      {
        index: 0,
        entry: 'shelves',
        list: '/mcpServers',
        suggestedName: 'shelves',
        description: 'npx -y @example/shelves --root "/srv/a b"',
        environment: [
          { name: 'SHELF_KEY', state: 'inFile' },
          { name: 'DEPTH', state: 'inFile' },
        ],
        disabled: false,
      },
      {
        address: { transport: 'streamable-http', url: 'https://shelves.example/mcp' },
        headers: [
          { name: 'Authorization', state: 'needsValue' },
          { name: 'X-Plan', state: 'needsValue' },
        ],
        placeholders: [
          { name: 'SHELF_TOKEN', isNeeded: false },
          { name: 'env:PLAN', isNeeded: false },
        ],
      },
      { address: { transport: 'sse' } },
      { disabled: true, issues: ['Not used: alwaysAllow.'] },
    ]);
    expect(JSON.stringify(entries)).not.toContain(KEY);
  });

  test('of VS Code, with comments, trailing commas and inputs', async () => {
    const { entries } = await read(`\ufeff// mine
      {
        "inputs": [{"type": "promptString", "id": "key", "description": "Key of the depot", "password": true,},],
        /* "servers": {} */
        "servers": {
          "depot": {"type": "stdio", "command": "depot", "args": ["--root", "\${workspaceFolder}", "// no comment, ]"],
            "env": {"KEY": "\${input:key}"}, "envFile": ".env",},
        },
      }`);
    expect(entries).toMatchObject([
      {
        entry: 'depot',
        address: { args: ['--root', `\${workspaceFolder}`, '// no comment, ]'] },
        environment: [{ name: 'KEY', state: 'needsValue' }],
        placeholders: [
          { name: 'workspaceFolder', isNeeded: true, isPassword: false },
          { name: 'input:key', label: 'Key of the depot', isPassword: true, isNeeded: false },
        ],
        issues: ['Not used: envFile.'],
      },
    ]);
    const settings = await read(
      '{"editor.fontSize": 12, "mcp": {"servers": {"a": {"url": "http://127.0.0.1:1/sse"}}}}',
    );
    expect(settings.entries).toMatchObject([
      { list: '/mcp/servers', issues: [expect.stringContaining('ends in /sse')] },
    ]);
  });

  test('of others: Codex, OpenCode, Gemini, Zed, Claude Code by project', async () => {
    const codex = await read(`
      model = "any"
      [mcp_servers.shelves]
      command = "npx"
      args = ["-y", "shelves"]
      env_vars = ["SHELF_KEY"]
      [mcp_servers.shelves.env]
      LEVEL = "3"
      [mcp_servers.remote]
      url = "https://shelves.example/mcp"
      bearer_token_env_var = "SHELF_TOKEN"
      enabled = false
    `);
    expect(codex).toMatchObject({
      form: 'toml',
      entries: [
        {
          description: 'npx -y shelves',
          environment: [
            { name: 'LEVEL', state: 'inFile' },
            { name: 'SHELF_KEY', state: 'needsValue' },
          ],
        },
        { headers: [{ name: 'Authorization', state: 'needsValue' }], disabled: true },
      ],
    });
    const openCode = await read(
      '{"mcp": {"a": {"type": "local", "command": ["bun", "x", "a"], "environment": {"K": "v"}, "enabled": false}, "b": {"type": "remote", "url": "https://b.example/", "headers": {"X": "{env:X}"}}}}',
    );
    expect(openCode.entries).toMatchObject([
      { description: 'bun x a', environment: [{ state: 'inFile' }], disabled: true },
      { headers: [{ name: 'X', state: 'needsValue' }] },
    ]);
    const gemini = await read(
      '{"mcpServers": {"a": {"httpUrl": "https://a.example/mcp", "url": "https://a.example/sse"}, "b": {"command": "b", "env": {"K": "$K"}}}}',
    );
    expect(gemini.entries).toMatchObject([
      { address: { transport: 'streamable-http', url: 'https://a.example/mcp' } },
      { placeholders: [{ name: 'K' }] },
    ]);
    const zed = await read(
      '{"context_servers": {"a": {"command": {"path": "a", "args": ["b"], "env": {"K": "v"}}}}}',
    );
    expect(zed.entries).toMatchObject([{ description: 'a b', environment: [{ state: 'inFile' }] }]);
    const projects = await read(
      '{"mcpServers": {"a": {"command": "a"}}, "projects": {"/x/y": {"mcpServers": {"a": {"command": "b"}}}}}',
    );
    expect(projects.entries).toMatchObject([
      { list: '/mcpServers', suggestedName: 'a' },
      { list: '/projects/~1x~1y/mcpServers', suggestedName: 'a-2' },
    ]);
  });

  test('whose URL could never be called say so', async () => {
    const { entries } = await read(
      `{"mcpServers": {"a": {"url": "javascript:alert(1)"}, "b": {"url": "file:///etc/\${X}"}, "c": {"url": "http://a.test/\\u202e"}, "d": {"url": "\${BASE}/mcp"}}}`,
    );
    expect(entries.map(({ address, issues }) => [address !== null, ...issues])).toEqual([
      [false, 'Its URL can’t be used. It begins with javascript:; expected http or https.'],
      [false, 'Its URL can’t be used. It begins with file:; expected http or https.'],
      [
        false,
        'Its URL can’t be used. It holds a character that is not seen or reorders the text; a URL has none.',
      ],
      [true],
    ]);
  });

  test('that can’t be used are listed, and say why', async () => {
    const { entries } = await read(
      '{"mcpServers": {"a": {}, "b": {"command": 3}, "c": [], "d": {"url": "ws://x/"}, "e": {"command": "x", "args": [{}]}, "f": {"command": ""}, "g": {"command": "g", "env": {"A B": "x", "N": null, "O": {}}}, "g": {"command": "g2", "url": "http://x/"}}}',
    );
    expect(entries.map(({ address, issues }) => [address !== null, ...issues])).toEqual([
      [false, 'It has neither a command nor a URL.'],
      [false, 'Its command or arguments are not all text.'],
      [false, 'It is no object.'],
      [false, 'WebSocket is no transport of MCP that Misstep speaks.'],
      [false, 'Its command or arguments are not all text.'],
      [false, 'Its command or arguments are not all text.'],
      [
        true,
        'This key stands in the list more than once; clients use the last.',
        ...['A B', 'N', 'O'].map(
          (name) => `${name} is left out: its name or value can’t be passed on.`,
        ),
      ],
      [
        true,
        'Not used with a command: url.',
        'This key stands in the list more than once; clients use the last.',
      ],
    ]);
  });

  test('are hostile: keys of prototypes, what steers code, deep nests', async () => {
    const text = `{"mcpServers": {
      "__proto__": {"command": "a", "env": {"__proto__": "x", "constructor": "y"}},
      "constructor": {"command": "b", "env": {"NODE_OPTIONS": "--require /tmp/evil.js", "LD_PRELOAD": "x", "path": "/tmp"}}
    }}`;
    const { entries } = await read(text);
    expect(entries.map(({ entry }) => entry)).toEqual(['__proto__', 'constructor']);
    expect(entries[0]?.environment).toEqual([
      { name: '__proto__', state: 'inFile' },
      { name: 'constructor', state: 'inFile' },
    ]);
    expect(entries[1]?.environment.map(({ state }) => state)).toEqual([
      'leftOut',
      'leftOut',
      'leftOut',
    ]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(JSON.stringify(entries)).not.toContain('evil.js');
    const deep = `{"mcpServers": {"a": {"command": "a", "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
    expect((await read(deep)).entries).toHaveLength(1);
    const many = `{"mcpServers": {${Array.from({ length: 600 }, (_, at) => `"s${at}": {"command": "a"}`).join(',')}}}`;
    const listed = await read(many);
    expect([listed.entries.length, listed.issues]).toEqual([
      500,
      ['100 more servers are not listed.'],
    ]);
  });

  test('in a file that can’t be read: the place is said, nothing is quoted', async () => {
    const { app } = await openTestApp();
    for (const [text, words] of [
      [`{"mcpServers": {"a": {"env": {"K": "${KEY}" oops}}}}`, 'line 1, column 59'],
      [`[mcp_servers.a]\nenv = { K = "${KEY}" oops }`, 'line 2'],
      [`${KEY}`, 'line 1'],
      ['{}', 'No servers'],
      ['{"mcpServers": []}', 'No servers'],
      ['  ', 'empty'],
    ] as const) {
      const answer = await call(app, routes.readTargetConfig, {
        body: { fileName: 'mcp.json', text },
      });
      expect(answer.json, text).toMatchObject({
        error: { code: 'CONFIG_UNREADABLE', message: expect.stringContaining(words) },
      });
      expect(answer.text).not.toContain(KEY);
    }
  });
});

describe('entries that are picked', () => {
  const text = JSON.stringify({
    mcpServers: {
      shelves: {
        command: 'npx',
        args: ['--root', `\${workspaceFolder}`],
        env: {
          SHELF_KEY: KEY,
          LATER: `\${LATER}`,
          MODE: `\${MODE:-fast}`,
          NODE_OPTIONS: '--require x',
        },
      },
      remote: {
        url: 'https://shelves.example/mcp',
        headers: { Authorization: `Bearer \${input:t}` },
      },
    },
  });

  test('become targets without a confirmation, their values secrets', async () => {
    const { app, dataFolder } = await openTestApp();
    const taken = await call(app, routes.importTargets, {
      body: {
        fileName: 'mcp.json',
        text,
        picks: [
          { index: 0, name: 'one' },
          { index: 1, name: 'two' },
        ],
        values: [
          { name: 'workspaceFolder', value: `/srv/\${input:t}` },
          { name: 'input:t', value: 'token-of-mine' },
        ],
      },
    });
    expect(taken.json).toMatchObject({
      targets: [
        {
          name: 'one',
          confirmedAt: null,
          description: `npx --root "/srv/\${input:t}" (environment: SHELF_KEY, LATER, MODE)`,
          settings: { importedFrom: { path: 'mcp.json', entry: 'shelves' } },
          secrets: [
            { name: 'SHELF_KEY', state: 'set' },
            { name: 'LATER', state: 'missing' },
            { name: 'MODE', state: 'set' },
          ],
        },
        { name: 'two', secrets: [{ kind: 'header', name: 'Authorization', state: 'set' }] },
      ],
    });
    expect(taken.text).not.toContain(KEY);
    expect(taken.text).not.toContain('token-of-mine');
    const secrets = await readFile(join(dataFolder, 'secrets.json'), 'utf8');
    for (const value of [KEY, 'Bearer token-of-mine', 'fast']) expect(secrets).toContain(value);
    expect(secrets).not.toContain('--require');
    const database = await readFile(join(dataFolder, 'misstep.db'), 'latin1');
    const log = await readFile(join(dataFolder, 'misstep.db-wal'), 'latin1').catch(() => '');
    expect(database + log).not.toContain(KEY);
  });

  test('are taken all or none', async () => {
    const { app, services, dataFolder } = await openTestApp();
    const take = (picks: object[], values: object[] = []) =>
      call(app, routes.importTargets, { body: { fileName: 'a', text, picks, values } });
    const workspace = [{ name: 'workspaceFolder', value: '/srv' }];
    expect(
      (
        await take([
          { index: 1, name: 'a' },
          { index: 0, name: 'b' },
        ])
      ).json,
    ).toMatchObject({
      error: { message: expect.stringContaining('workspaceFolder') },
    });
    expect(
      (
        await take(
          [
            { index: 1, name: 'a' },
            { index: 0, name: 'a' },
          ],
          workspace,
        )
      ).status,
    ).toBe(400);
    expect((await take([{ index: 9, name: 'a' }])).status).toBe(400);
    const badValue = [...workspace, { name: 'input:t', value: 'line\nbreak' }];
    const refused = await take(
      [
        { index: 0, name: 'a' },
        { index: 1, name: 'b' },
      ],
      badValue,
    );
    expect([refused.status, refused.text.includes('break')]).toEqual([400, true]);
    expect(await services.targets.list()).toEqual([]);
    expect(await readFile(join(dataFolder, 'secrets.json'), 'utf8').catch(() => '')).not.toContain(
      KEY,
    );
    expect((await take([{ index: 0, name: 'a' }], workspace)).status).toBe(200);
    expect((await take([{ index: 0, name: 'a' }], workspace)).json).toMatchObject({
      error: { code: 'TARGET_EXISTS' },
    });
  });
});

describe('JSON with comments', () => {
  test('keeps its length, and strict JSON its text', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(stripJsonc(json)).toBe(json);
      }),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('{', '}', '[', ']', ',', '"', '\\', '/', '*', '\n', 'a', ':', ' '),
          { maxLength: 40 },
        ),
        (parts) => {
          const text = parts.join('');
          expect(stripJsonc(text)).toHaveLength(text.length);
        },
      ),
    );
  });

  test('loses comments and trailing commas wherever they stand', () => {
    for (const text of [
      '[1,]',
      '[1, // one\n]',
      '[1 /* , */ , /* x */ // y\n /**/ ]',
      '/* a */ [1,\n/* b */\n]// end',
      '[1/**/,/**/]',
    ]) {
      expect(JSON.parse(stripJsonc(text)), text).toEqual([1]);
    }
    expect(JSON.parse(stripJsonc('{"a": "/* no */ // no ,]", "b\\"//": [2,],}'))).toEqual({
      a: '/* no */ // no ,]',
      'b"//': [2],
    });
    expect(JSON.parse(stripJsonc('[[1,],[2,],]'))).toEqual([[1], [2]]);
    for (const text of ['[,]', '[1,,]', '{,}', '[1 2]', '"a', '/* [1]']) {
      expect(parseJson(stripJsonc(text)).ok && text !== '[,]' && text !== '{,}', text).toBe(false);
    }
  });
});

test('a suggested name is one, and free', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (entry, names) => {
      const taken = new Set([...names, suggestName(entry, new Set())]);
      expect(taken.has(suggestName(entry, taken))).toBe(false);
    }),
  );
});
