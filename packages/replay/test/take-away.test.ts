import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { NO_TARGET_SETTINGS, type TargetAddress } from '@misstep/model';
import { hostileStdioCommand, startHostileHttp } from '@misstep/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TAKE_AWAY_FORMS, type TakeAwayForm, takeAway } from '../src/index.ts';
import { shellQuote, sourceLiteral } from '../src/take-away/shell-quote.ts';

const run = promisify(execFile);
const HTTP: TargetAddress = { transport: 'streamable-http', url: 'http://127.0.0.1:1/mcp' };
/** Everything that quoting, printing or parsing could spoil. */
const NASTY = `{"it's": "a \\"$HOME\\" \`id\` \\\\n %s %d", "n": 9007199254740993, "f": 1.0, "big": 1e400,
 "z": -0, "n": 5, "s": "\\ud800", "t": "a\u2028b\u202ec\u0085\u{e0041} é 😀 '''"}`;

/** Not every machine has every program; the tests that need one say so by being skipped. */
function lacks(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined;
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'misstep-take-away-'));
}

function stdio(logPath?: string, behaviour = 'echo'): TargetAddress {
  return { transport: 'stdio', cwd: null, ...hostileStdioCommand(behaviour, logPath) };
}

function taken(form: TakeAwayForm, address: TargetAddress, argumentsText = NASTY): string {
  const made = takeAway(form, {
    tool: 'echo',
    argumentsText,
    address,
    settings: NO_TARGET_SETTINGS,
  });
  if (!made.ok) throw new Error(made.error);
  return made.value.text;
}

describe('shell quoting', () => {
  it('reaches the program byte for byte through /bin/sh', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
    const shellWord = fc.oneof(
      word,
      fc.string({
        unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', '\r', '!', '*', ' ', '%'),
      }),
    );
    fc.assert(
      fc.property(fc.array(shellWord, { minLength: 1, maxLength: 8 }), (words) => {
        const script = `printf '%s\\0' ${words.map(shellQuote).join(' ')}`;
        const out = execFileSync('/bin/sh', ['-c', script]);
        expect(out.equals(Buffer.from(words.map((each) => `${each}\0`).join('')))).toBe(true);
      }),
      { numRuns: 120 },
    );
  });

  it.skipIf(lacks('python3'))(
    'has literals that JavaScript and Python read as the same text',
    () => {
      const texts = fc.sample(fc.string({ unit: 'binary' }), 200);
      const javascript = texts.map((text) => sourceLiteral(text, 'javascript'));
      for (const [index, literal] of javascript.entries()) {
        expect(literal).toMatch(/^[^\n\r\u2028\u2029]*$/);
        // Reads a literal of ours, as the generated file does.
        expect(new Function(`return ${literal}`)()).toBe(texts[index]);
      }
      const python = texts.map((text) => sourceLiteral(text, 'python')).join(',\n');
      const out = execFileSync(
        'python3',
        [
          '-c',
          `import json,sys\nexec(sys.stdin.buffer.read().decode("utf-8"))\nprint(json.dumps(T))`,
        ],
        { input: `T = [${python}]` },
      );
      expect(JSON.parse(out.toString())).toEqual(texts);
    },
  );
});

describe('a call taken away', () => {
  it('as a shell line: the server reads the exact frames', async () => {
    const folder = newFolder();
    const log = join(folder, "it's a log");
    const script = taken('shell', stdio(log)).replace('sleep 10', 'sleep 1');
    writeFileSync(join(folder, 'call.sh'), script);
    const { stdout } = await run('/bin/sh', [join(folder, 'call.sh')]);
    const lines = readFileSync(log, 'utf8').split('\n');
    expect(lines[2]).toBe(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${NASTY.replace('\n', ' ')}}}`,
    );
    expect(stdout).toContain('"id":1,"result"');
    expect(taken('frames', stdio())).toBe(`${lines.slice(0, 3).join('\n')}\n`);
  });

  it.skipIf(lacks('curl'))(
    'as curl: the server reads the exact bytes, line breaks and 300 kB too',
    async () => {
      const folder = newFolder();
      const log = join(folder, 'log');
      const server = await startHostileHttp('echo', log);
      const address: TargetAddress = { transport: 'streamable-http', url: server.url };
      const long = `${NASTY.slice(0, -1)}, "pad": "${'x'.repeat(300_000)}"}`;
      try {
        writeFileSync(join(folder, 'call.sh'), taken('curl', address, long));
        const { stdout } = await run('/bin/sh', [join(folder, 'call.sh')], {
          maxBuffer: 16 * 1024 * 1024,
        });
        expect(stdout).toContain('"id":1,"result"');
        expect(readFileSync(log, 'utf8')).toContain(`"arguments":${long}}}`);
      } finally {
        await server.stop();
      }
    },
  );

  it('as a Node test: the SDK of npm runs it, and the file says what is rounded', async () => {
    const folder = newFolder();
    const log = join(folder, 'log');
    const text = taken('node', stdio(log, 'print-env'));
    writeFileSync(join(folder, 'call.test.mjs'), text);
    mkdirSync(join(folder, 'node_modules', '@modelcontextprotocol'), { recursive: true });
    symlinkSync(
      resolve(import.meta.dirname, '../../mcp/node_modules/@modelcontextprotocol/sdk'),
      join(folder, 'node_modules/@modelcontextprotocol/sdk'),
    );
    const { code, out } = await runNodeTest(folder);
    expect([code, out]).toEqual([0, expect.stringContaining('pass 1')]);
    const call = readFileSync(log, 'utf8').split('\n')[2] ?? '';
    expect(JSON.parse(call)).toMatchObject({
      params: { arguments: { t: "a\u2028b\u202ec\u0085\u{e0041} é 😀 '''", n: 5 } },
    });
    expect(text).toContain('/n~#0: 9007199254740993 is dropped (duplicate key)');
    expect(text).toContain('/big: 1e400 becomes null');
    expect(text).toContain('/f: 1.0 becomes 1');
    const whole = taken('node', HTTP, '{"n":9007199254740993}');
    expect(whole).toContain('/n: 9007199254740993 becomes 9007199254740992');
    expect(taken('node', HTTP, '{"n":12}')).not.toContain('NOT THE SAME BYTES');
    expect(whole).toContain('new StreamableHTTPClientTransport(new URL("http://127.0.0.1:1/mcp"))');
  });

  it.skipIf(lacks('python3'))(
    'as a pytest: Python reads it, and the file says only what Python changes',
    () => {
      const folder = newFolder();
      const text = taken('pytest', stdio());
      // In place of the SDK of PyPI: what the file asks of it, written down.
      writeFileSync(join(folder, 'test_call.py'), text);
      writeFileSync(join(folder, 'stand_in.py'), STAND_IN);
      const out = execFileSync('python3', ['stand_in.py'], { cwd: folder });
      const asked: unknown = JSON.parse(out.toString());
      expect(asked).toMatchObject({
        tool: 'echo',
        // As text: a double would hide what Python keeps.
        arguments: expect.stringContaining('"n": 5'),
        command: process.execPath,
        args: hostileStdioCommand('echo').args,
      });
      expect(text).toContain('/z: -0 becomes 0');
      expect(text).toContain('/big: 1e400 becomes Infinity');
      expect(text).not.toContain('/f:');
      expect(taken('pytest', HTTP, '{"n":9007199254740993}')).not.toContain('NOT THE SAME BYTES');
      expect(taken('pytest', HTTP, '{"x":0.30000000000000004441}')).toContain('/x: 0.300000');
      expect(taken('pytest', HTTP)).toContain('streamablehttp_client("http://127.0.0.1:1/mcp")');
    },
  );

  it('is refused where the form does not fit or there is nothing to send', () => {
    const made = (form: TakeAwayForm, address: TargetAddress, argumentsText: string) =>
      takeAway(form, { tool: 'echo', argumentsText, address, settings: NO_TARGET_SETTINGS });
    expect(made('curl', stdio(), '{}')).toMatchObject({ ok: false });
    expect(made('shell', HTTP, '{}')).toMatchObject({ ok: false });
    for (const form of TAKE_AWAY_FORMS) {
      expect(made(form, HTTP, '[1]')).toMatchObject({ ok: false });
      expect(made(form, HTTP, '{"a":')).toMatchObject({ ok: false });
      expect(made(form, HTTP, '{"a":"\ud800"}')).toMatchObject({ ok: false });
    }
  });

  it('opens HTTP+SSE with its own client, and refuses what cannot', () => {
    const sse: TargetAddress = { transport: 'sse', url: 'http://127.0.0.1:1/sse' };
    expect(taken('node', sse, '{}')).toContain('new SSEClientTransport(new URL(');
    expect(taken('node', sse, '{}')).toContain('/client/sse.js');
    expect(taken('pytest', sse, '{}')).toContain(
      'sse_client("http://127.0.0.1:1/sse") as (read, write):',
    );
    for (const form of ['curl', 'shell'] as const) {
      expect(() => taken(form, sse, '{}')).toThrow(/Node test or for pytest/);
    }
  });

  it('names what the target is given besides, in every form', () => {
    const settings = {
      ...NO_TARGET_SETTINGS,
      environmentNames: ['DEPOT_KEY'],
      headerNames: ['X-Api-Key'],
    };
    const made = (form: TakeAwayForm, address: TargetAddress) =>
      takeAway(form, { tool: 'echo', argumentsText: '{}', address, settings });
    const sse: TargetAddress = { transport: 'sse', url: 'http://127.0.0.1:1/sse' };
    for (const form of TAKE_AWAY_FORMS) {
      for (const address of [HTTP, sse, stdio()]) {
        const taken = made(form, address);
        if (!taken.ok) continue;
        const isStdio = address.transport === 'stdio';
        expect(taken.value.notes.join()).toContain(
          isStdio ? 'Set the environment variable DEPOT_KEY' : 'Set the header X-Api-Key',
        );
        if (form === 'frames') continue;
        expect(taken.value.text.replace(/^(#|\/\/).*$/gm, '')).toContain(
          isStdio ? 'DEPOT_KEY' : 'PUT_X_API_KEY_HERE',
        );
      }
    }
  });

  it('asks for the revision that the target is held to, or refuses', () => {
    const made = (form: TakeAwayForm, protocolRevision: '2025-06-18' | '2026-07-28') =>
      takeAway(form, {
        tool: 'echo',
        argumentsText: '{}',
        address: form === 'shell' ? stdio() : HTTP,
        settings: { ...NO_TARGET_SETTINGS, protocolRevision },
      });
    for (const form of TAKE_AWAY_FORMS) {
      expect(JSON.stringify(made(form, '2025-06-18'))).toContain('2025-06-18');
      expect(made(form, '2026-07-28')).toMatchObject({
        ok: false,
        error: expect.stringContaining('2026-07-28 has none'),
      });
    }
  });

  it('never holds what looks like a secret', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ';
    const url = `https://user:${secret}@mcp.example/mcp?team=a&api_key=${secret}&x=${secret}`;
    const args = [
      'serve',
      `--token=${secret}`,
      '--api-key',
      secret,
      `Authorization: Bearer ${secret}`,
      `HOST_KEY=${secret}`,
      url,
      secret,
      '--shelf=7',
    ];
    const addresses: TargetAddress[] = [
      { transport: 'streamable-http', url },
      { transport: 'stdio', command: 'depot', args, cwd: null },
    ];
    for (const address of addresses) {
      for (const form of TAKE_AWAY_FORMS) {
        const made = takeAway(form, {
          tool: 'echo',
          argumentsText: '{}',
          address,
          settings: NO_TARGET_SETTINGS,
        });
        if (!made.ok) continue;
        expect(made.value.text).not.toContain(secret);
        expect(made.value.notes.join()).toContain('PUT_API_KEY_HERE');
        if (form === 'shell') expect(made.value.text).toContain("'--shelf=7'");
      }
    }
    const plain = 'https://mcp.example/a%2fb?team=a';
    expect(taken('node', { transport: 'streamable-http', url: plain })).toContain(plain);
  });

  it('keeps names from breaking out of comments', () => {
    for (const form of TAKE_AWAY_FORMS) {
      const address = form === 'shell' ? stdio() : HTTP;
      const tool = 'a\nrm -rf "$HOME"\u2028import os';
      const made = takeAway(form, {
        tool,
        argumentsText: '{"k\\nrm -rf x":1.0}',
        address,
        settings: NO_TARGET_SETTINGS,
      });
      if (!made.ok) throw new Error(made.error);
      // A shell and Python end a line at the line feed alone.
      const ends = form === 'node' ? /[\n\u2028]/ : /\n/;
      const lines = made.value.text.split(ends);
      expect(lines.filter((line) => /^(rm|import os)/.test(line))).toEqual([]);
    }
  });
});

async function runNodeTest(folder: string): Promise<{ code: number | null; out: string }> {
  // Without the marks of a test runner, which would make the inner one report to it.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', 'call.test.mjs'], { cwd: folder, env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, out };
}

const STAND_IN = `
import json, sys, types
asked = {}
class Both:
    def __init__(self, value): self.value = value
    async def __aenter__(self): return self.value
    async def __aexit__(self, *rest): return False
class Result:
    isError = False
    def model_dump_json(self, indent): return ''
class Session:
    def __init__(self, read, write): pass
    async def __aenter__(self): return self
    async def __aexit__(self, *rest): return False
    async def initialize(self): pass
    async def call_tool(self, tool, arguments):
        asked.update(tool=tool, arguments=json.dumps(arguments))
        return Result()
mcp = types.ModuleType('mcp'); client = types.ModuleType('mcp.client'); stdio = types.ModuleType('mcp.client.stdio')
mcp.ClientSession = Session
mcp.StdioServerParameters = lambda command, args, cwd: asked.update(command=command, args=args)
stdio.stdio_client = lambda parameters: Both((None, None))
sys.modules.update({'mcp': mcp, 'mcp.client': client, 'mcp.client.stdio': stdio})
import io, contextlib
with contextlib.redirect_stdout(io.StringIO()):
    import test_call
    test_call.test_call()
print(json.dumps(asked))
`;
