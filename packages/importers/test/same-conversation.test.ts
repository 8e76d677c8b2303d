import { basename, join } from 'node:path';
import { parseJson, printJson } from '@misstep/json';
import { costOfRun, PRICE_TABLE, PriceFinder, type Step, totalsOf } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { chooseFormat, makeSourceHead, type SourceReader } from '../src/index.ts';
import { readValue } from './invariants.ts';
import { FIXTURES_FOLDER, filesBelow, sourceOfFile } from './support.ts';

/**
 * One conversation as eight formats write it: a question, two calls at once of which one fails, its
 * repetition, an answer. Where a format can't say what another says, it is listed here and in
 * docs/formats/README.md; everything else has to be equal.
 */
interface Differences {
  /** The step that the others stand below: a turn of the user, or what ran the agent. */
  readonly root: { kind: Step['kind']; name: string };
  /** The format has no flag for a failed tool: the failure is text alone. */
  readonly failureIsText?: true;
  /** The error's text stands beside the result, which is not recorded then. */
  readonly errorBesideResult?: true;
  /** No ids at the calls: they are those of the model's messages. */
  readonly inferredCallIds?: true;
  readonly noTimes?: true;
}

const TURN = { kind: 'user', name: 'User turn' } as const;

const FORMATS: Readonly<Record<string, { format: string; differences: Differences }>> = {
  'claude-code.jsonl': { format: 'claude-code-jsonl', differences: { root: TURN } },
  'codex.jsonl': { format: 'codex-rollout', differences: { root: TURN } },
  'anthropic.jsonl': { format: 'anthropic-messages', differences: { root: TURN, noTimes: true } },
  'openai.jsonl': {
    format: 'openai-messages',
    differences: { root: TURN, noTimes: true, failureIsText: true },
  },
  // Its calls are told three times over, and one of its answers stands in pieces.
  'langchain.jsonl': { format: 'langchain', differences: { root: TURN, noTimes: true } },
  'otlp.json': {
    format: 'otlp-json',
    differences: { root: { kind: 'agent', name: 'depot_agent' } },
  },
  'langsmith.jsonl': {
    format: 'langsmith',
    differences: {
      root: { kind: 'note', name: 'depot_agent' },
      inferredCallIds: true,
    },
  },
  'inspect.json': {
    format: 'inspect-json',
    differences: { root: { kind: 'agent', name: 'depot_agent' }, errorBesideResult: true },
  },
};

const FIND = '{"code":"PX-7","depot":9007199254740993}';
const LIST = '{"day":"2026-03-02"}';
const FAILURE = 'route table is locked';
const FOUND = '{"code":"PX-7","shelf":"B4","held":false}';

const tool = (name: string, given: string, result: string, id: string, failed = false) => ({
  kind: 'tool',
  tool: name,
  server: 'depot',
  arguments: given,
  result,
  id,
  failed,
});
const model = (words: string, input: number, cached: number, output: number) => ({
  kind: 'model',
  words,
  tokens: [input, cached, output],
});

/** Below the root, in order of execution. */
const CONVERSATION = [
  model('I look it up.', 100, 40, 20),
  tool('find_parcel', FIND, FOUND, 'c1'),
  tool('list_routes', LIST, FAILURE, 'c2', true),
  model('', 180, 0, 10),
  tool('list_routes', LIST, '[]', 'c3'),
  model('It lies on shelf B4; no route goes out today.', 220, 0, 15),
];

const files = filesBelow(join(FIXTURES_FOLDER, 'same-conversation'));

async function read(path: string) {
  const main = sourceOfFile(path);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const [run] = result?.runs ?? [];
  if (importer === null || result === undefined || run === undefined) throw new Error(path);
  return { main, format: importer.id, result, run };
}

const textOf = (value: Step['result'], main: SourceReader) =>
  value === null ? null : readValue(value, [main]);

/** The text of a result that stands in MCP's own frame, as Codex keeps it; else the text itself. */
function inner(text: string | null): string | null {
  const parsed: unknown = text?.startsWith('{"content"') ? JSON.parse(text) : null;
  const found = /"text": ?("(?:[^"\\]|\\.)*")/.exec(parsed === null ? '' : (text ?? ''))?.[1];
  return found === undefined ? text : String(JSON.parse(found));
}

async function shown(step: Step, main: SourceReader, differences: Differences) {
  if (step.kind === 'model') {
    const [part] = step.content.filter(({ kind }) => kind === 'text');
    const words = part === undefined ? '' : ((await textOf(part.value, main)) ?? '');
    const { usage } = step;
    const cached = usage?.cacheReadTokens ?? 0;
    const input = (usage?.inputTokens ?? 0) + (usage?.inputExcludesCache ? cached : 0);
    return { kind: 'model', words, tokens: [input, cached, usage?.outputTokens] };
  }
  const given = parseJson((await textOf(step.arguments, main)) ?? '');
  const failed = step.status === 'error';
  const result = inner(await textOf(step.result, main));
  const beside = failed && differences.errorBesideResult === true;
  if (beside) expect(result ?? '').toBe('');
  const isFailure = result === FAILURE && differences.failureIsText === true;
  if (isFailure) expect(step.status).toBe('ok');
  return {
    kind: step.kind,
    tool: step.tool,
    server: step.server,
    arguments: given.ok ? printJson(given.value, { indent: 0 }) : null,
    // Inspect states the kind of error in front of its words.
    result: beside ? (step.statusReason ?? '').replace(/^unknown: /, '') : result,
    id: step.callId,
    failed: failed || isFailure,
  };
}

test('there is a file for each of the formats, and none besides', () => {
  expect(files.map((path) => basename(path))).toEqual(Object.keys(FORMATS).sort());
});

describe.each(files)('%s', (path) => {
  const expected = FORMATS[basename(path)];

  test('gives the same tree', async () => {
    const { main, format, result, run } = await read(path);
    expect(format).toBe(expected?.format);
    const differences: Differences = expected?.differences ?? { root: TURN };
    expect(result.issues.map(({ code }) => code)).toEqual(
      differences.inferredCallIds ? ['CALL_ID_INFERRED'] : [],
    );
    const [root, ...rest] = run.steps;
    expect({ kind: root?.kind, name: root?.name }).toEqual(differences.root);
    expect(rest.map(({ parentId }) => parentId)).toEqual(rest.map(() => root?.id));
    const steps = await Promise.all(rest.map((step) => shown(step, main, differences)));
    const wanted = CONVERSATION.map((step) =>
      'id' in step ? { ...step, id: expect.stringContaining(step.id) } : step,
    );
    expect(steps).toEqual(wanted);
    expect(run.title).toBe(
      format === 'inspect-json'
        ? 'depot: sample one, epoch 1'
        : 'Where is parcel PX-7, and can it go out today?',
    );
    for (const { time } of run.steps.filter(({ kind }) => kind === 'tool')) {
      expect(time.startedAtNs !== null && time.endedAtNs !== null).toBe(!differences.noTimes);
    }
  });

  test('costs the same', async () => {
    const { run } = await read(path);
    const totals = totalsOf(run.steps);
    expect([totals.inputTokens, totals.outputTokens]).toEqual([500, 45]);
    expect([totals.modelCallCount, totals.toolCallCount]).toEqual([3, 3]);
    // 460 * 3 + 40 * 0.3 + 45 * 15 = 2067 millionths of a dollar.
    expect(costOfRun(totals.modelUsage, null, new PriceFinder(PRICE_TABLE))).toMatchObject({
      usd: '0.002067',
      evidence: 'derived',
      atLeast: false,
      callCount: 3,
    });
  });
});
