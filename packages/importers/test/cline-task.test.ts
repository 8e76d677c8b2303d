import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clineRoo } from '../src/formats/cline-roo.ts';
import { makeSourceHead, unitOfPath } from '../src/index.ts';
import { expectAccountsAddUp } from './invariants.ts';
import { FIXTURES_FOLDER, sourceOfFile, sourceOfText } from './support.ts';

const FOLDER = join(FIXTURES_FOLDER, 'cline-roo/1795424400000');
const HISTORY = `${FOLDER}/api_conversation_history.json`;
const ROWS = `${FOLDER}/ui_messages.json`;

async function readTask(rowsText = readFileSync(ROWS, 'utf8')) {
  const main = sourceOfFile(HISTORY);
  const reader = sourceOfText(rowsText, 'ui_messages.json');
  const group = clineRoo.group?.(await makeSourceHead(reader), ROWS);
  if (group == null) throw new Error('not grouped');
  const result = await clineRoo.read({ main, companions: [{ reader, group }] });
  expectAccountsAddUp(result, [main, reader]);
  const [run] = result.runs;
  if (run === undefined || result.runs.length !== 1) throw new Error('not one run');
  return { run, result, reader };
}

describe('the two files of a task', () => {
  test('are one unit by their folder, the history first', async () => {
    const head = await makeSourceHead(sourceOfFile(HISTORY));
    expect(unitOfPath(HISTORY)).toBe(unitOfPath(ROWS));
    expect(clineRoo.group?.(head, HISTORY)).toMatchObject({ role: 'main' });
    expect(clineRoo.group?.(head, ROWS)).toMatchObject({ role: 'companion' });
    expect(clineRoo.group?.(head, 'elsewhere.json')).toBeNull();
    expect(unitOfPath('C:\\tasks\\1\\ui_messages.json')).not.toBe(
      unitOfPath('C:\\tasks\\2\\api_conversation_history.json'),
    );
  });

  test('give one run, with the calls of the history and the times and tokens of the screen', async () => {
    const { run, result, reader } = await readTask();
    const shown = run.steps
      .filter(({ name }) => name !== 'Environment details')
      .map(({ kind, tool, status, summary, time }) => [
        kind,
        tool ?? summary,
        status,
        time.startedAtText === null ? null : Number(time.startedAtText) - 1_795_424_400_000,
        time.endedAtText === null ? null : Number(time.endedAtText) - 1_795_424_400_000,
      ]);
    expect(shown).toEqual([
      ['user', 'Count the crates.', 'none', 0, null],
      ['model', 'I look at the list.', 'none', 20, 1000],
      ['tool', 'read_file', 'ok', 1200, null],
      ['model', '', 'interrupted', 1400, null],
      ['note', 'socket hang up', 'none', 2400, null],
      ['model', 'calls count, execute_command', 'none', 2600, null],
      ['tool', 'count', 'error', 3100, 3900],
      ['tool', 'execute_command', 'ok', 4000, 4100],
      ['model', 'There are 12 crates.', 'none', 4200, 5000],
      ['user', 'And lids?', 'none', 9000, null],
      ['model', '', 'none', 9010, null],
    ]);
    expect(run.naturalId).toBe('1795424400000');
    expect(result.issues.map(({ code }) => code)).not.toContain('VIEWS_MATCHED_BY_ORDER');
    const call = run.steps.find(({ tool }) => tool === 'count');
    expect(call?.server).toBe('yard');
    expect(call?.moreOrigins.some(({ sha256 }) => sha256 === reader.sha256)).toBe(true);
  });

  test('count tokens once: as many as the rows of the screen tell', async () => {
    const { run } = await readTask();
    const told = [
      ...readFileSync(ROWS, 'utf8').matchAll(/\\"tokensIn\\": (\d+), \\"tokensOut\\": (\d+)/g),
    ];
    const sum = (at: number) => told.reduce((total, match) => total + Number(match[at]), 0);
    const usages = run.steps.flatMap(({ usage }) => (usage === null ? [] : [usage]));
    expect(usages.reduce((total, { inputTokens }) => total + (inputTokens ?? 0), 0)).toBe(sum(1));
    expect(usages.reduce((total, { outputTokens }) => total + (outputTokens ?? 0), 0)).toBe(sum(2));
    expect(sum(1)).toBe(3100);
  });

  test('without indexes are put together by order, which is told', async () => {
    const plain = readFileSync(ROWS, 'utf8').replace(/,\s*"conversationHistoryIndex": -?\d+/g, '');
    const { run, result } = await readTask(plain);
    expect(result.issues.map(({ code }) => code)).toContain('VIEWS_MATCHED_BY_ORDER');
    const models = run.steps.filter(({ kind }) => kind === 'model');
    expect(models.map(({ usage }) => usage?.outputTokens ?? null)).toEqual([40, 0, 50, 20, null]);
  });
});
