import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from '../src/sse-reader.ts';

function read(chunks: readonly Uint8Array[], capBytes = 1_000_000) {
  const events: unknown[] = [];
  const reader = new SseReader(capBytes, {
    event: ({ data, ...rest }) =>
      events.push({ data: data === null ? null : Buffer.from(data).toString('utf8'), ...rest }),
    tooLarge: (bytes, seenBytes) => events.push({ tooLarge: bytes.length, seenBytes }),
  });
  for (const chunk of chunks) reader.push(chunk);
  const rest = reader.rest();
  return { events, rest: rest === null ? null : Buffer.from(rest).toString('utf8') };
}

const event = { data: null, type: '', id: null, retry: null, comments: [] };

describe('SseReader', () => {
  it.each([
    ['data: a\ndata:b\n\n', [{ ...event, data: 'a\nb' }]],
    ['data:  two spaces\n\n', [{ ...event, data: ' two spaces' }]],
    ['data\n\n', [{ ...event, data: '' }]],
    [
      ': hi\nid: 7\nretry: 30\nevent: message\ndata: x\n\n',
      [{ data: 'x', type: 'message', id: '7', retry: '30', comments: ['hi'] }],
    ],
    ['\ufeffdata: x\n\n', [{ ...event, data: 'x' }]],
    ['unknown: 1\ndata: x\n\n', [{ ...event, data: 'x' }]],
    ['data: x\r\n\r\ndata: y\r\rdata: z\n\n', ['x', 'y', 'z'].map((data) => ({ ...event, data }))],
  ])('%j', (text, events) => {
    expect(read([Buffer.from(text)])).toEqual({ events, rest: null });
    // One byte at a time, so that every ending and character is cut.
    const single = [...Buffer.from(text)].map((byte) => Buffer.of(byte));
    expect(read(single)).toEqual({ events, rest: null });
  });

  it('cuts long texts and says by how much, and takes no id that holds a NUL', () => {
    const long = 'n'.repeat(1500);
    const text = `: ${long}\nevent: ${long}\nid: ${long}\nretry: ${long}\ndata: x\n\nid: a\0b\n\n`;
    const cut = `${'n'.repeat(1000)}… (500 more bytes)`;
    expect(read([Buffer.from(text)]).events).toEqual([
      {
        data: 'x',
        hasLongId: true,
        type: cut,
        id: null,
        retry: cut,
        comments: [cut, `(an id too long to be used: ${cut})`],
      },
      event,
    ]);
  });

  it('keeps the first comments of an event and counts the others', () => {
    const { events } = read([Buffer.from(`${':c\n'.repeat(150)}\n`)]);
    expect(events).toEqual([
      { ...event, comments: [...Array(100).fill('c'), '(50 more not kept)'] },
    ]);
  });

  it('gives what the end has cut, apart', () => {
    expect(read([Buffer.from('data: whole\n\ndata: hal')])).toEqual({
      events: [{ ...event, data: 'whole' }],
      rest: 'hal',
    });
  });

  it('stops at the cap, also where an event grows line by line', () => {
    const lines = Buffer.from('data: 12345\n'.repeat(10));
    expect(read([lines], 20).events).toEqual([{ tooLarge: 20, seenBytes: 29 }]);
  });

  it('gives a data line that is too long without the name before it', () => {
    const tooLong = (text: string) => {
      let cut = '';
      const reader = new SseReader(8, {
        event: ({ data }) => {
          cut = `event ${Buffer.from(data ?? []).toString()}`;
        },
        tooLarge: (bytes) => {
          cut = Buffer.from(bytes).toString();
        },
      });
      reader.push(Buffer.from(text));
      return cut;
    };
    expect(tooLong('data: 123456789')).toBe('12345678');
    expect(tooLong('data:1234567890')).toBe('12345678');
    expect(tooLong(': 1234567890123')).toBe(': 123456');
    // The name does not count: a frame has the cap to itself.
    expect(tooLong('data: 12345678\n\n')).toBe('event 12345678');
  });

  it('never throws, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 8 }), (chunks) => {
        expect(read(chunks)).toEqual(read([Buffer.concat(chunks)]));
      }),
    );
  });
});
