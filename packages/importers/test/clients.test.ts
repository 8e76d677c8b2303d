import { expect, test } from 'vitest';
import { codexRollout } from '../src/formats/codex-rollout.ts';
import { sourceOfText, stepsOf } from './support.ts';

const lines = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const at = (second: number): string => `2026-03-04T09:15:${String(second).padStart(2, '0')}Z`;

test('turns that a forked Codex rollout copied from its parent count once', async () => {
  const turn = (id: string, text: string, second: number): unknown[] => [
    {
      timestamp: at(second),
      type: 'event_msg',
      payload: { type: 'task_started', turn_id: id },
    },
    {
      timestamp: at(second),
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    },
  ];
  const main = sourceOfText(
    lines(
      { timestamp: at(0), type: 'session_meta', payload: { id: 'parent' } },
      ...turn('t1', 'Count the saddles.', 1),
    ),
  );
  const fork = sourceOfText(
    lines(
      {
        timestamp: at(2),
        type: 'session_meta',
        payload: { id: 'child', parent_thread_id: 'parent' },
      },
      ...turn('t1', 'Count the saddles.', 2),
      ...turn('t2', 'Count the bells.', 3),
    ),
  );
  const group = { key: 'parent', role: 'companion', part: 'child' } as const;
  const result = await codexRollout.read({ main, companions: [{ reader: fork, group }] });
  expect(stepsOf(result).map(({ summary }) => summary)).toEqual([
    'Count the saddles.',
    'Count the bells.',
  ]);
  expect(result.issues.map(({ code }) => code)).toEqual(['COPIED_TURNS', 'SUBAGENT_UNLINKED']);
});
