import { expect, it } from 'vitest';
import { outermostDifferences } from '../src/experiments/outermost-differences.ts';
import { type ResultView, viewResult } from '../src/experiments/result-view.ts';

function view(result: unknown): ResultView {
  const made = viewResult(JSON.stringify(result));
  if (made === null) throw new Error('no JSON');
  return made;
}
const texts = (...all: string[]) => view({ content: all.map((text) => ({ type: 'text', text })) });
const rows = (a: ResultView, b: ResultView) => outermostDifferences(a, b).rows;

it('names what differs in a text, not that both hold one item', () => {
  expect(rows(texts('The sum is 4.'), texts('The sum is 11.'))).toEqual([
    { pointer: '/content/0/text', a: '"The sum is 4."', b: '"The sum is 11."' },
  ]);
});

it('shows long texts from where they part', () => {
  const [row] = rows(texts(`${'x'.repeat(200)} four`), texts(`${'x'.repeat(200)} eleven`));
  expect(row?.a).toMatch(/^… x+ four"$/);
  expect(row?.b).toMatch(/^… x+ eleven"$/);
});

it('opens JSON in one text and in several', () => {
  const [a, b] = ['{"items":[{"n":1},{"n":2}]}', '{"items":[{"n":1},{"n":3}]}'];
  expect(rows(texts(a), texts(b))).toEqual([{ pointer: '/items/1/n', a: '2', b: '3' }]);
  expect(rows(texts('note', a), texts('note', b))).toEqual([
    { pointer: '/content/1/text/items/1/n', a: '2', b: '3' },
  ]);
});

it('keeps to the outermost where it already reads otherwise', () => {
  expect(rows(texts('{"items":[1]}'), texts('{"items":[1,2]}'))).toEqual([
    { pointer: '/items', a: '1 item', b: '2 items' },
  ]);
});

it('finds what differs outside the structure that it looks at', () => {
  const withLink = (uri: string) =>
    view({
      content: [
        { type: 'text', text: '{"n":1}' },
        { type: 'resource_link', uri },
      ],
    });
  expect(rows(withLink('shelf:1'), withLink('shelf:2'))).toEqual([
    { pointer: '/content/1/uri', a: '"shelf:1"', b: '"shelf:2"' },
  ]);
});

it('tells nothing of what is left out', () => {
  const [a, b] = ['{"pid":1,"items":[{"n":1,"at":1}]}', '{"pid":2,"items":[{"n":2,"at":2}]}'];
  const isLeftOut = (pointer: string) => pointer === '/pid' || pointer === '/items/0/at';
  expect(outermostDifferences(texts(a), texts(b), isLeftOut).rows).toEqual([
    { pointer: '/items/0/n', a: '1', b: '2' },
  ]);
});
