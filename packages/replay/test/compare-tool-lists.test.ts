import { expect, test } from 'vitest';
import { compareToolLists } from '../src/index.ts';

const tool = (name: string, description: string, schema: object = { type: 'object' }) => ({
  name,
  definitionText: JSON.stringify({ name, description, inputSchema: schema }),
});

test('a list is held against the recorded one, tool by tool', () => {
  const drift = compareToolLists(
    [tool('same', 'x'), tool('read', 'old'), tool('checked', 'x'), tool('left', 'x')],
    [
      {
        name: 'same',
        definitionText: JSON.stringify(
          { inputSchema: { type: 'object' }, description: 'x', name: 'same' },
          null,
          2,
        ),
      },
      tool('read', 'new'),
      tool('checked', 'x', { type: 'object', required: ['a'] }),
      tool('came', 'x'),
      tool('came too', 'x'),
    ],
  );
  expect(drift).toEqual({
    recordedCount: 4,
    liveCount: 5,
    added: ['came', 'came too'],
    removed: ['left'],
    changed: [
      { name: 'read', effects: ['reading'] },
      { name: 'checked', effects: ['validation'] },
    ],
    sentence: 'Tools list differs from the recording: 2 of 4 tools changed, 2 tools added, 1 gone.',
  });
});

test('the same list says so', () => {
  const drift = compareToolLists([tool('one', 'x')], [tool('one', 'x')]);
  expect(drift).toMatchObject({ changed: [], sentence: 'Tools list as recorded: 1 tool.' });
});
