import type { ServerAsk, TargetAddress } from '@misstep/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AskDesk } from '../src/index.ts';
import { startEverythingHttp, stdio } from './published-servers.ts';
import { endingOf, replayOnce, serverFrames } from './replay-once.ts';

const ANSWERS: Readonly<Record<string, string>> = {
  'elicitation/create':
    '{"action":"accept","content":{"name":"Ada Fennel","check":true,"integer":7}}',
  'sampling/createMessage':
    '{"role":"assistant","content":{"type":"text","text":"shelf A-7"},"model":"a person","stopReason":"endTurn"}',
  'roots/list': '{"roots":[{"uri":"file:///depot/shelves","name":"shelves"}]}',
};

async function answered(address: TargetAddress, tool: string, argumentsText: string) {
  const desk = new AskDesk({ waitMs: 60_000 });
  let asks: readonly ServerAsk[] = [];
  const replayed = await replayOnce(address, {
    tool,
    confirmTool: tool,
    argumentsText,
    askDesk: desk,
    onAsks: (now) => {
      asks = [...now];
      for (const { ordinal, method, answer } of now) {
        const text = ANSWERS[method];
        if (answer === null && text !== undefined) desk.answer(ordinal, { kind: 'result', text });
      }
    },
  });
  expect(endingOf(replayed)).toMatchObject({ outcome: 'result' });
  const text = serverFrames(replayed)
    .map((frame) => frame.text)
    .join('\n');
  return { methods: asks.map(({ method }) => method), text };
}

describe.each(['stdio', 'Streamable HTTP'])('server-everything over %s asks', (transport) => {
  let address = stdio('@modelcontextprotocol/server-everything', 'stdio');
  let stop: () => void = () => undefined;
  beforeAll(async () => {
    if (transport !== 'stdio') ({ address, stop } = await startEverythingHttp());
  });
  afterAll(() => stop());

  it('for a form', async () => {
    const { methods, text } = await answered(address, 'trigger-elicitation-request', '{}');
    expect(methods).toContain('elicitation/create');
    expect(text).toContain('Ada Fennel');
  });

  it('for a sample', async () => {
    const { methods, text } = await answered(
      address,
      'trigger-sampling-request',
      '{"prompt":"where?","maxTokens":10}',
    );
    expect(methods).toContain('sampling/createMessage');
    expect(text).toContain('shelf A-7');
  });

  it('for the roots, which over HTTP come on the standing stream', async () => {
    const { methods, text } = await answered(address, 'get-roots-list', '{}');
    expect(methods).toContain('roots/list');
    expect(text).toContain('file:///depot/shelves');
  });
});
