import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

/**
 * One session under one session id in two files that are not the same bytes: another program wrote it
 * anew, an editor cut it, or it was gone on with twice. Its tokens count once.
 */

const SESSION = '2f60cc11-5a30-4c0b-9b8a-0d52a6a4e001';

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [8, 12, 16, 20, 32]
    .map((end, index) => hex.slice([0, 8, 12, 16, 20][index], end))
    .join('-');
}

type Row = Readonly<Record<string, unknown>>;

/** Turns of Claude Code, each an answer with one call, its result and an answer in words. */
function claudeTurns(names: readonly string[], second: number, after: string | null): Row[] {
  const rows: Row[] = [];
  let parentUuid = after;
  const add = (type: string, name: string, at: number, message: Row, more: Row = {}) => {
    const uuid = uuidOf(`${name} ${at}`);
    const timestamp = new Date(Date.UTC(2026, 3, 2, 7, 0, at)).toISOString();
    rows.push({ type, uuid, parentUuid, sessionId: SESSION, timestamp, ...more, message });
    parentUuid = uuid;
  };
  for (const [index, name] of names.entries()) {
    const at = second + index * 4;
    const usage = { input_tokens: 100, output_tokens: 10 };
    const answer = (part: string, content: readonly Row[]) => ({
      role: 'assistant',
      id: `msg_01${createHash('sha256').update(`${name} ${part}`).digest('hex').slice(0, 22)}`,
      model: 'demo',
      content,
      usage,
    });
    const id = `toolu_01${createHash('sha256').update(name).digest('hex').slice(0, 22)}`;
    const input = { label: `größe ${name}`, weights: [1.5, { kg: 2 }] };
    add('user', name, at, { role: 'user', content: `Weigh keg ${name}` });
    const call = answer('call', [{ type: 'tool_use', id, name: 'mcp__scale__weigh', input }]);
    add('assistant', name, at + 1, call, { requestId: `req_${name}_1` });
    const result = [{ type: 'tool_result', tool_use_id: id, content: `${name}: 12 kg` }];
    add('user', name, at + 2, { role: 'user', content: result });
    const said = answer('words', [{ type: 'text', text: `Keg ${name} weighs 12 kg.` }]);
    add('assistant', name, at + 3, said, { requestId: `req_${name}_2` });
  }
  return rows;
}

/** Of Codex, with the same calls. */
function codexTurns(names: readonly string[]): Row[] {
  const rows: Row[] = [];
  const add = (at: number, type: string, payload: Row) => {
    const timestamp = new Date(Date.UTC(2026, 3, 2, 7, 0, at)).toISOString();
    rows.push({ timestamp, type, payload });
  };
  add(0, 'session_meta', { id: SESSION, cwd: '/kegs', originator: 'demo', cli_version: '0.1.0' });
  add(0, 'turn_context', { cwd: '/kegs', model: 'demo' });
  for (const [index, name] of names.entries()) {
    const at = 1 + index * 5;
    const text = [{ type: 'input_text', text: `Wieg Faß ${name}` }];
    add(at, 'response_item', { type: 'message', role: 'user', content: text });
    const call = { name: 'weigh', arguments: '{"keg": 1}', call_id: `call_${name}` };
    add(at + 1, 'response_item', { type: 'function_call', ...call });
    const output = { type: 'function_call_output', call_id: call.call_id, output: '12 kg' };
    add(at + 2, 'response_item', output);
    const spent = (times: number) => ({ input_tokens: 100 * times, output_tokens: 10 * times });
    const info = { total_token_usage: spent(index + 1), last_token_usage: spent(1) };
    add(at + 3, 'event_msg', { type: 'token_count', info });
  }
  return rows;
}

const asIs = (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const withCrLf = (rows: readonly Row[]) => asIs(rows).replaceAll('\n', '\r\n');

/** As Python's json writes it: blanks behind `:` and `,`, and no letter beyond ASCII. */
function spaced(rows: readonly Row[]): string {
  return rows
    .map((row) => {
      const pretty = JSON.stringify(row, null, 1).replaceAll(/,?\n */g, (gap) =>
        gap.startsWith(',') ? ', ' : '',
      );
      const ascii = pretty.replaceAll(
        /[^ -~]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      return `${ascii}\n`;
    })
    .join('');
}

const reversedKeys = (rows: readonly Row[]) =>
  asIs(rows.map((row) => Object.fromEntries(Object.entries(row).reverse())));

const kegs = ['a', 'b', 'c'];
const claude = claudeTurns(kegs, 0, null);
const end = String(claude.at(-1)?.uuid);
const one = claudeTurns(['d'], 40, end);
const two = claudeTurns(['e'], 60, end);
const codex = codexTurns(kegs);

interface Case {
  readonly turns: number;
  readonly answersPerTurn: number;
  readonly files: readonly string[];
}

const ofClaude = (turns: number, ...files: string[]): Case => ({ turns, answersPerTurn: 2, files });
const ofCodex = (turns: number, ...files: string[]): Case => ({ turns, answersPerTurn: 1, files });

const CASES: Readonly<Record<string, Case>> = {
  'Claude Code, other line ends': ofClaude(3, asIs(claude), withCrLf(claude)),
  'Claude Code, written by another program': ofClaude(3, asIs(claude), spaced(claude)),
  'Claude Code, members in another order': ofClaude(3, asIs(claude), reversedKeys(claude)),
  'Claude Code, without its first record': ofClaude(3, asIs(claude), asIs(claude.slice(1))),
  'Claude Code, its tail written anew': ofClaude(3, asIs(claude), spaced(claude.slice(-5))),
  'Claude Code, its last record': ofClaude(3, asIs(claude), asIs(claude.slice(-1))),
  'Claude Code, a first line that is cut': ofClaude(3, asIs(claude), asIs(claude).slice(60)),
  'Claude Code, an earlier state': ofClaude(3, asIs(claude), withCrLf(claude.slice(0, 6))),
  'Claude Code, gone on with twice': ofClaude(
    5,
    asIs([...claude, ...one]),
    asIs([...claude, ...two]),
  ),
  'Claude Code, gone on with in other files': ofClaude(5, asIs(claude), asIs(one), asIs(two)),
  'Codex, other line ends': ofCodex(3, asIs(codex), withCrLf(codex)),
  'Codex, written by another program': ofCodex(3, asIs(codex), spaced(codex)),
  'Codex, an earlier state, between a call and its result': ofCodex(
    3,
    asIs(codex),
    withCrLf(codex.slice(0, 8)),
  ),
};

const orders = ['together', 'the last first'] as const;

test.each(Object.keys(CASES).flatMap((name) => orders.map((order) => [name, order] as const)))(
  '%s, %s',
  async (name, order) => {
    const { files, turns, answersPerTurn } = CASES[name] ?? ofClaude(0);
    const answers = turns * answersPerTurn;
    const services = await openTestServices();
    const given = files.map((text, index) => fileOf(`session-${index}.jsonl`, text));
    const apart = given.map((file) => [file]);
    const batches = {
      together: [given],
      'one by one': apart,
      'the last first': apart.toReversed(),
    };
    for (const batch of batches[order]) await services.imports.importFiles(batch);

    const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
    expect(runs.map(({ run }) => run.toolCallCount)).toEqual([turns]);
    const [{ run } = { run: undefined }] = runs;
    expect(run).toMatchObject({
      modelCallCount: answers,
      inputTokens: answers * 100,
      outputTokens: answers * 10,
    });
    const steps = run === undefined ? [] : await services.store.listSteps(run.id);
    const calls = steps.filter(({ kind }) => kind === 'tool');
    expect(calls.map(({ status }) => status)).toEqual(Array.from({ length: turns }, () => 'ok'));
    expect(steps.filter(({ kind }) => kind === 'user')).toHaveLength(turns);
  },
);

test('another recording under the id is a run of its own', async () => {
  const services = await openTestServices();
  const other = claudeTurns(['x', 'y'], 90, null);
  await services.imports.importFiles([
    fileOf('session-0.jsonl', asIs(claude)),
    fileOf('session-1.jsonl', asIs(other)),
    fileOf('session-2.jsonl', withCrLf(other)),
  ]);
  const { runs } = await services.store.listRuns({ limit: 10, offset: 0 });
  expect(runs.map(({ run }) => run.toolCallCount).sort()).toEqual([2, 3]);
});
