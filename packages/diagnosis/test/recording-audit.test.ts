import { AUDIT_QUESTION_IDS, type AuditedQuestion, PRICE_TABLE, PriceFinder } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { audit, cut, makeSteps, timeAt, tokens, value, words } from './support.ts';

const byId = { by: 'id', derived: false };
const answersOf = (questions: Record<string, AuditedQuestion>) =>
  AUDIT_QUESTION_IDS.map((id) => questions[id]?.answer);

/** A client's log: a turn, a model call, a call, the model call that read its result. */
function loggedSteps() {
  return makeSteps(
    { kind: 'user', content: words(), time: timeAt(0n, null) },
    {
      kind: 'model',
      parentId: 's1',
      content: words(),
      usage: tokens(100, 9),
      time: timeAt(1n, 2n),
    },
    {
      parentId: 's1',
      status: 'ok',
      pairing: byId,
      arguments: value(),
      result: value(),
      time: timeAt(3n, 4n),
    },
    {
      kind: 'model',
      parentId: 's1',
      content: words(),
      usage: tokens(150, 9),
      time: timeAt(5n, 6n),
    },
  );
}

function wireSteps() {
  const call = {
    evidence: 'wire',
    status: 'ok',
    pairing: byId,
    arguments: value('wire'),
    result: value('wire'),
  };
  return makeSteps(
    { kind: 'protocol', name: 'tools/list', evidence: 'wire', time: timeAt(1n, 2n, 'wire') },
    { ...call, time: timeAt(3n, 4n, 'wire') },
    { ...call, time: timeAt(5n, 6n, 'wire') },
  );
}

describe('what each kind of recording can answer', () => {
  test('a log of a client', () => {
    const questions = audit(loggedSteps());
    expect(Object.keys(questions)).toEqual(AUDIT_QUESTION_IDS);
    expect(answersOf(questions)).toEqual([
      'partly',
      'answered',
      'answered',
      'answered',
      'partly',
      'partly',
      'answered',
    ]);
    expect(questions['tool-choice'].missing).toEqual(['call.offeredTools']);
    expect(questions.context.missing).toEqual(['context.changes']);
    expect(questions.cost.missing).toEqual(['usage.money']);
    expect(questions.cost.counts).toEqual({
      modelCalls: 2,
      withInputTokens: 2,
      withOutputTokens: 2,
      withMoney: 0,
      withRecordedMoney: 0,
      withDerivedMoney: 0,
    });
    const offered = audit(loggedSteps(), { tools: [{ server: null, name: 'find_parcel' }] });
    expect(offered['tool-choice']).toMatchObject({ answer: 'answered', missing: [] });
  });

  test('a wire recording of a server', () => {
    const tools = [{ server: null, name: 'find_parcel' }];
    const questions = audit(wireSteps(), { tools, frameCount: 6 });
    expect(answersOf(questions)).toEqual([
      'answered',
      'partly',
      'partly',
      'no',
      'no',
      'no',
      'partly',
    ]);
    expect(questions['call-outcome']).toMatchObject({
      counts: { calls: 2, frames: 6, withLatency: 2, withResultInContext: 0 },
      missing: ['call.resultInContext'],
      sentence:
        '2 calls: outcome for all. 2 results: whole text for all, the context after it for none. 2 answered calls: start and end for all.',
    });
    expect(questions.looping.missing).toEqual(['model']);
    expect(questions['first-wrong'].missing).toEqual(['step.parent']);
  });

  test('text made for people', () => {
    const rendered = { evidence: 'rendered', parentId: 's1' };
    const steps = makeSteps(
      { kind: 'user', evidence: 'rendered', content: words('rendered') },
      { ...rendered, kind: 'model', content: words('rendered') },
      {
        ...rendered,
        status: 'ok',
        pairing: { by: 'order', derived: true },
        arguments: value('rendered'),
        result: cut('rendered'),
      },
      { ...rendered, kind: 'model', content: words('rendered') },
    );
    const questions = audit(steps, { clock: 'none' });
    expect(answersOf(questions)).toEqual([
      'partly',
      'partly',
      'answered',
      'partly',
      'no',
      'no',
      'partly',
    ]);
    expect(questions['call-outcome'].missing).toEqual([
      'call.result',
      'call.latency',
      'call.resultInContext',
    ]);
    expect(questions['hand-offs'].missing).toEqual(['handOff']);
    expect(questions['first-wrong'].missing).toEqual(['step.time', 'step.parent', 'call.pairing']);
  });

  test('a run without calls answers no question about calls', () => {
    const steps = makeSteps(
      { kind: 'user', content: words() },
      { kind: 'model', content: words() },
    );
    const questions = audit(steps, { tools: [{ server: null, name: 'find_parcel' }] });
    for (const id of ['tool-choice', 'call-outcome', 'looping'] as const) {
      expect(questions[id]).toMatchObject({
        answer: 'no',
        missing: ['call'],
        sentence: 'No calls recorded.',
      });
    }
  });

  test('a run without steps answers nothing', () => {
    expect(new Set(answersOf(audit([])))).toEqual(new Set(['no']));
  });
});

describe('rules of single questions', () => {
  test('definitions of another server do not tell what was offered', () => {
    const steps = makeSteps({ server: 'depot', status: 'ok', arguments: value() });
    const of = (server: string) => audit(steps, { tools: [{ server, name: 'x' }] })['tool-choice'];
    expect(of('post').missing).toEqual(['call.offeredTools']);
    expect(of('depot').missing).toEqual([]);
  });

  test('no result, no end and no pairing are asked of a call that nothing came back of', () => {
    const steps = makeSteps({ status: 'unanswered', arguments: value(), time: timeAt(1n, null) });
    const questions = audit(steps);
    expect(questions['call-outcome']).toMatchObject({
      answer: 'answered',
      counts: { calls: 1, cameBack: 0, withStatus: 1 },
    });
    expect(audit(makeSteps({ status: 'unknown' }))['call-outcome'].answer).toBe('no');
  });

  test('a derived time is no latency', () => {
    const steps = makeSteps({ status: 'ok', result: value(), time: timeAt(1n, 2n, 'derived') });
    expect(audit(steps)['call-outcome'].missing).toContain('call.latency');
  });

  test("a result enters its own agent's context, not that of another", () => {
    const call = { status: 'ok', result: value() };
    const steps = makeSteps(
      { kind: 'agent', arguments: value(), result: value() },
      { ...call, parentId: 's1' },
      { kind: 'model', content: words() },
    );
    expect(audit(steps)['call-outcome'].counts.withResultInContext).toBe(0);
    const own = makeSteps(
      { kind: 'agent', callId: 't1', arguments: value(), result: value() },
      { ...call, parentId: 's1' },
      { kind: 'model', parentId: 's1', content: words() },
    );
    expect(audit(own)['call-outcome'].counts.withResultInContext).toBe(1);
    expect(audit(own)['hand-offs']).toMatchObject({ answer: 'answered', counts: { withSteps: 1 } });
    expect(audit(makeSteps({ kind: 'agent', arguments: cut() }))['hand-offs'].answer).toBe('no');
  });

  test('the agent that is the run itself is no hand-off; speakers who take turns may be one', () => {
    const traced = makeSteps(
      { kind: 'agent', arguments: null },
      { kind: 'model', parentId: 's1', content: words() },
      { parentId: 's1', status: 'ok' },
    );
    expect(audit(traced)['hand-offs']).toMatchObject({
      answer: 'answered',
      counts: { handOffs: 0 },
    });
    const beside = makeSteps({ kind: 'agent' }, { parentId: 's1' }, { kind: 'model' });
    expect(audit(beside)['hand-offs'].counts.handOffs).toBe(1);
    const chat = makeSteps({ kind: 'model', name: 'Planner' }, { kind: 'model', name: 'Coder' });
    expect(audit(chat)['hand-offs']).toMatchObject({
      answer: 'partly',
      missing: ['handOff'],
      counts: { speakers: 2 },
    });
  });

  test('goals stay unseen where the model never speaks or its words are cut', () => {
    const call = { status: 'ok', arguments: value() };
    const silent = audit(makeSteps({ kind: 'model' }, call)).looping;
    expect(silent).toMatchObject({ answer: 'partly', missing: ['model.text'] });
    const cutWords = [{ kind: 'thinking', value: cut() }];
    const half = makeSteps({ kind: 'model', content: words() }, call, {
      kind: 'model',
      content: cutWords,
    });
    expect(audit(half).looping.counts).toMatchObject({ modelCalls: 2, withWords: 1 });
  });

  test('a compaction with its text answers what changed, a fall of the input without one does not', () => {
    const model = (input: number) => ({
      kind: 'model',
      model: 'm',
      content: words(),
      usage: tokens(input, 1),
    });
    const change = { kind: 'context', content: words() };
    expect(audit(makeSteps(model(900), change, model(100))).context).toMatchObject({
      answer: 'answered',
      counts: { changes: 1, unexplainedFalls: 0 },
    });
    expect(audit(makeSteps(model(900), change, model(900), model(100))).context).toMatchObject({
      answer: 'partly',
      counts: { unexplainedFalls: 1 },
      missing: ['context.changes'],
    });
    const bare = audit(makeSteps(model(900), { kind: 'context' }, model(100))).context;
    expect(bare).toMatchObject({ answer: 'partly', counts: { withWholeSummary: 0 } });
  });

  test('tokens of some model calls are counted as some', () => {
    const steps = makeSteps({ kind: 'model', usage: tokens(5, null) }, { kind: 'model' });
    expect(audit(steps).cost).toMatchObject({
      answer: 'partly',
      counts: { modelCalls: 2, withInputTokens: 1, withOutputTokens: 0 },
      sentence: '2 model calls: input tokens for 1, output tokens for none, money for none.',
    });
  });

  test('times that contradict the order are counted', () => {
    const steps = makeSteps(
      { kind: 'user', time: timeAt(9n, null) },
      { kind: 'model', time: timeAt(3n, 4n) },
    );
    expect(audit(steps)['first-wrong']).toMatchObject({
      answer: 'partly',
      counts: { inOrder: 1 },
      missing: ['step.order'],
    });
    expect(audit(steps, { clock: 'local' })['first-wrong'].sentence).toContain('no zone');
  });

  test('a tree of any depth is read without recursion', () => {
    const deep = Array.from({ length: 20_000 }, (_each, index) => ({
      kind: 'agent',
      parentId: index === 0 ? null : `s${index}`,
    }));
    expect(audit(makeSteps(...deep))['hand-offs'].counts.withSteps).toBe(19_998);
    // The outermost is the run itself, the innermost has no steps.
  });
});

describe('money', () => {
  const prices = new PriceFinder(PRICE_TABLE);
  const models = (...list: readonly Record<string, unknown>[]) =>
    makeSteps(...list.map((fields) => ({ kind: 'model', status: 'none', ...fields })));

  test('is answered by what the source states, and by tokens with a price, and said apart', () => {
    const steps = models(
      { model: 'gpt-4o', usage: tokens(10, 5) },
      { model: 'unheard-of', usage: tokens(10, 5), recordedCostUsd: '0.01' },
    );
    const { cost } = audit(steps, { prices, recordedCostUsd: '0.02' });
    expect(cost).toMatchObject({
      answer: 'answered',
      missing: [],
      counts: { modelCalls: 2, withMoney: 2, withRecordedMoney: 1, withDerivedMoney: 1 },
      sentence:
        '2 model calls: input tokens for all, output tokens for all, money for all. The money of 1 is derived from tokens and a price table, not recorded. The source states the money of the run as a whole.',
    });
  });

  test('of a model without a price, or with half of its tokens, is missing', () => {
    const steps = models(
      { model: 'unheard-of', usage: tokens(10, 5) },
      { model: 'gpt-4o', usage: tokens(10, null) },
    );
    const { cost } = audit(steps, { prices });
    expect(cost.missing).toEqual(['usage.outputTokens', 'usage.money']);
    expect(cost.counts.withMoney).toBe(0);
  });
});
