import { expect, test } from 'vitest';
import { notSentAgain } from '../src/index.ts';

const frame = (params: string) =>
  Buffer.from(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`);

test('says what of the recorded request was left out or sent otherwise, and not the arguments', () => {
  const recorded = frame(
    '{"name":"find","arguments":{"n":9007199254740993},"_meta":{"progressToken":"p-1","trace":{"id":1.0}},"task":{"ttl":60}}',
  );
  expect(notSentAgain(recorded, frame('{"name":"find","arguments":{"n":1}}'))).toEqual([
    {
      pointer: '/_meta/progressToken',
      text: '"p-1"',
      why: 'belongs to the recorded conversation',
    },
    { pointer: '/_meta/trace/id', text: '1.0', why: 'said by the recorded client of itself' },
    { pointer: '/task/ttl', text: '60', why: 'a replay waits for the answer itself' },
  ]);
  const sent = frame('{"name":"find","arguments":{},"_meta":{"progressToken":3,"trace":{"id":1}}}');
  expect(notSentAgain(recorded, sent)).toMatchObject([
    { pointer: '/_meta/progressToken', why: 'new token issued, 3' },
    { pointer: '/_meta/trace/id', why: 'sent as 1' },
    { pointer: '/task/ttl' },
  ]);
  expect(notSentAgain(recorded, recorded)).toEqual([]);
  expect(notSentAgain(Buffer.from('banner'), sent)).toBeNull();
  expect(notSentAgain(frame('[]'), sent)).toEqual([]);
});
