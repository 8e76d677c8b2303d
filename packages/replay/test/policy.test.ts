import { readFrame } from '@misstep/mcp';
import { NO_TARGET_SETTINGS, type Target, TargetSchema } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import { adviseOnAnswer } from '../src/answer-advice.ts';
import { checkListedTool, nearestNames, planReplay, type RecordedCall } from '../src/index.ts';
import { recordedCall } from './replay-once.ts';

const target: Target = TargetSchema.parse({
  name: 'warehouse',
  address: { transport: 'stdio', command: 'node', args: ['server.js', 'a b'], cwd: null },
  settings: NO_TARGET_SETTINGS,
  confirmedAt: '2026-11-30T00:00:00.000Z',
  trustsReadOnlyHint: false,
  createdAt: '2026-11-30T00:00:00.000Z',
});

interface Ask {
  readonly call?: Partial<RecordedCall>;
  readonly target?: Partial<Target>;
  readonly tool?: string;
  readonly argumentsText?: string;
  readonly confirmTool?: string;
}

function requestOf(ask: Ask) {
  return {
    call: { ...recordedCall, ...ask.call },
    target: { ...target, ...ask.target },
    tool: ask.tool ?? null,
    argumentsText: ask.argumentsText ?? null,
    confirmTool: ask.confirmTool ?? 'echo',
  };
}

function tool(name: string, readOnlyHint: boolean | null) {
  const definitionText = JSON.stringify({ name });
  const definitionBytes = Buffer.from(definitionText);
  return { name, definitionText, definitionBytes, readOnlyHint, destructiveHint: null };
}

describe('planReplay', () => {
  it.each<[string, Ask, string, RegExp]>([
    [
      'an unconfirmed target',
      { target: { confirmedAt: null } },
      'targetNotConfirmed',
      /node server\.js "a b"/,
    ],
    [
      'arguments that were never captured',
      { call: { argumentsState: 'notCaptured', argumentsText: null } },
      'argumentsNotCaptured',
      /does not hold the arguments/,
    ],
    [
      'cut arguments',
      { call: { argumentsState: 'elided', argumentsText: '{"a":"…' } },
      'argumentsElided',
      /only a part/,
    ],
    [
      'redacted arguments',
      { call: { argumentsState: 'redacted' } },
      'argumentsRedacted',
      /removed/,
    ],
    [
      'no JSON',
      { argumentsText: '{"a":\n  nope}' },
      'argumentsNotJson',
      /Expected a value at line 2, column 3, but found "nope"/,
    ],
    [
      'a lone surrogate',
      { argumentsText: '{"a":"\ud800"}' },
      'argumentsNotJson',
      /half of a surrogate pair at character 7/,
    ],
    ['an array', { argumentsText: '[1]' }, 'argumentsNotObject', /this is an array/],
    ['null', { argumentsText: 'null' }, 'argumentsNotObject', /this is null/],
    ['a number', { argumentsText: '1.0' }, 'argumentsNotObject', /this is a number/],
    [
      'a call that nobody confirmed',
      { confirmTool: 'other' },
      'notConfirmed',
      /Confirm it by the tool's name/,
    ],
    [
      'a confirmation of the recorded tool where another is called',
      { tool: 'wipe_shelf' },
      'notConfirmed',
      /wipe_shelf/,
    ],
    [
      'the first of several reasons',
      { target: { confirmedAt: null }, argumentsText: '[', confirmTool: 'x' },
      'targetNotConfirmed',
      /not confirmed/,
    ],
  ])('refuses %s', (_name, ask, reason, sentence) => {
    const plan = planReplay(requestOf(ask));
    expect(plan.ok).toBe(false);
    if (plan.ok) return;
    expect(plan.error.reason).toBe(reason);
    expect(plan.error.sentence).toMatch(sentence);
  });

  it('takes edited arguments where the recording has none', () => {
    const plan = planReplay(
      requestOf({
        call: { argumentsState: 'notCaptured', argumentsText: null },
        argumentsText: '{"id":9007199254740993}',
      }),
    );
    expect(plan).toMatchObject({
      ok: true,
      value: { tool: 'echo', argumentsText: '{"id":9007199254740993}' },
    });
  });
});

describe('checkListedTool', () => {
  const listed = [tool('echo', true), tool('wipe_shelf', false), tool('plain', null)];
  const trusting = { trustsReadOnlyHint: true };

  it.each<[string, Ask, string | null]>([
    ['a confirmed tool', {}, null],
    ['a read-only tool of a trusted target', { confirmTool: '', target: trusting }, null],
    [
      'a destructive tool of a trusted target',
      { tool: 'wipe_shelf', confirmTool: '', target: trusting },
      'notConfirmed',
    ],
    [
      'a tool without a hint of a trusted target',
      { tool: 'plain', confirmTool: '', target: trusting },
      'notConfirmed',
    ],
    [
      'a destructive tool that is confirmed',
      { tool: 'wipe_shelf', confirmTool: 'wipe_shelf' },
      null,
    ],
    ['a tool that is not listed', { tool: 'gone', confirmTool: 'gone' }, 'toolUnknown'],
  ])('%s', (_name, ask, reason) => {
    const request = requestOf(ask);
    const plan = planReplay(request);
    if (!plan.ok) throw new Error(plan.error.sentence);
    const checked = checkListedTool(request, plan.value, listed, 'legacy');
    expect(checked.ok ? null : checked.error.reason).toBe(reason);
  });

  it('names what a server with one tool, or few, has instead', () => {
    const request = requestOf({ tool: 'gone', confirmTool: 'gone' });
    const plan = planReplay(request);
    if (!plan.ok) throw new Error(plan.error.sentence);
    const [first] = listed;
    if (first === undefined) throw new Error('the list is empty');
    const words = (tools: readonly (typeof first)[]) => {
      const checked = checkListedTool(request, plan.value, tools, 'legacy');
      return checked.ok ? '' : checked.error.sentence;
    };
    expect(words([first])).toContain(`; its only tool is ${first.name}. Choose`);
    expect(words([first, first])).toContain('its 2 tools, nearest first, are');
    const many = Array.from({ length: 9 }, (_, at) => ({ ...first, name: `tool_${at}` }));
    expect(words(many)).toContain('the nearest of its 9 are');
  });

  it('says so where there are no tools at all', () => {
    const request = requestOf({});
    const plan = planReplay(request);
    if (!plan.ok) throw new Error(plan.error.sentence);
    const checked = checkListedTool(request, plan.value, [], 'legacy');
    expect(checked.ok ? '' : checked.error.sentence).toContain('it lists no tools at all');
  });
});

describe('nearestNames', () => {
  it('gives at most so many, nearest first', () => {
    const names = ['list_shelves', 'list_shelf', 'wipe', 'echo', 'ping', 'add'];
    expect(nearestNames('list_shelv', names, 2)).toEqual(['list_shelf', 'list_shelves']);
  });
});

describe('the advice on an unconfirmed call', () => {
  it.each([false, true])('names trust only where it can help (trusted: %s)', (isTrusted) => {
    const ask = requestOf({
      tool: 'plain',
      confirmTool: '',
      target: { trustsReadOnlyHint: isTrusted },
    });
    const planned = planReplay(ask);
    const refused = planned.ok
      ? checkListedTool(ask, planned.value, [tool('plain', null)], 'legacy')
      : planned;
    const sentence = refused.ok ? '' : refused.error.sentence;
    expect(sentence).toContain('(on the command line: --yes)');
    expect(sentence.includes('a target with --trust-read-only')).toBe(!isTrusted);
    expect(sentence.includes('the server does not say readOnlyHint of plain')).toBe(isTrusted);
  });
});

describe('adviseOnAnswer', () => {
  const failed = (text: string) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      result: { isError: true, content: [{ type: 'text', text }] },
    });
  const withKey = {
    ...target,
    settings: { ...NO_TARGET_SETTINGS, environmentNames: ['SHELF_KEY'] },
  };

  it.each([
    [
      failed('The key has expired'),
      withKey,
      /SHELF_KEY\), give it anew .* target set warehouse --env SHELF_KEY$/,
    ],
    [failed('The key has expired'), target, /the target gives none/],
    [failed('no shelf Z'), withKey, /^$/],
    [
      '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"a key"}]}}',
      withKey,
      /^$/,
    ],
    [
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"x"}}',
      withKey,
      /against the tool’s schema/,
    ],
    ['{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"x"}}', withKey, /^$/],
  ])('%s', (text, to, words) => {
    expect(adviseOnAnswer(readFrame(Buffer.from(text)), to).join(' ')).toMatch(words);
  });
});
