import { describe, expect, it } from 'vitest';
import {
  EMPTY_DRAFT,
  readServerDraft,
  type ServerDraft,
} from '../../src/features/servers/server-draft.ts';

const stdio = (changes: Partial<ServerDraft>): ServerDraft => ({
  ...EMPTY_DRAFT,
  name: 'seeds',
  command: 'node',
  ...changes,
});

describe('the form for a server', () => {
  it('takes one argument a line, as typed', () => {
    expect(readServerDraft(stdio({ args: 'server.js\n--name=a b\n\n"quoted"\n\n' }))).toEqual({
      ok: true,
      name: 'seeds',
      address: {
        transport: 'stdio',
        command: 'node',
        args: ['server.js', '--name=a b', '', '"quoted"'],
        cwd: null,
      },
      secrets: [],
    });
  });

  it('takes a URL, and says what is wrong with one', () => {
    const http = (url: string) =>
      readServerDraft({ ...EMPTY_DRAFT, name: 'a', transport: 'http', url });
    expect(http(' http://127.0.0.1:9/mcp ')).toMatchObject({
      ok: true,
      address: { transport: 'streamable-http', url: 'http://127.0.0.1:9/mcp' },
    });
    for (const url of ['', 'nonsense', 'file:///etc/passwd', 'http://user:word@127.0.0.1/']) {
      expect(http(url)).toMatchObject({ ok: false, problems: { url: expect.any(String) } });
    }
  });

  it('names every field that lacks something at once', () => {
    expect(readServerDraft({ ...EMPTY_DRAFT, name: '-bad name' })).toEqual({
      ok: false,
      problems: { name: expect.stringContaining('letter'), command: expect.any(String) },
    });
  });

  it('takes the values of the transport that is chosen', () => {
    const secret = (name: string) => [{ key: 1, name, value: 'v' }];
    const draft = stdio({ environment: secret('KEY'), headers: secret('X-Key') });
    expect(readServerDraft(draft)).toMatchObject({
      secrets: [{ kind: 'environment', name: 'KEY' }],
    });
    expect(
      readServerDraft({ ...draft, transport: 'sse', url: 'http://127.0.0.1:9/sse' }),
    ).toMatchObject({
      address: { transport: 'sse' },
      secrets: [{ kind: 'header', name: 'X-Key' }],
    });
    expect(readServerDraft(stdio({ environment: secret('A=B') }))).toMatchObject({
      ok: false,
      problems: { secrets: expect.stringContaining('A=B') },
    });
  });
});
