import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changesFrom,
  putBack,
  spanOf,
  splitDrafts,
} from '../../src/features/replay/argument-changes.ts';
import { spanOfIssue } from '../../src/features/replay/argument-issues.tsx';
import { checkArguments } from '../../src/features/replay/draft-arguments.ts';
import { delayBetween } from '../../src/features/replay/pins.tsx';

const recorded = '{"customer": "Hollow Farm", "since": "last week", "limit": 9007199254740993}';

describe('what a draft changes', () => {
  it('is put back place by place, down to the recorded bytes', () => {
    let text = recorded.replace('last week', '2026-11-17').replace('9007199254740993', '20');
    expect(changesFrom(recorded, text)?.values.map(({ pointer }) => pointer)).toEqual([
      '/since',
      '/limit',
    ]);
    for (const change of changesFrom(recorded, text)?.values ?? []) {
      text = putBack(text, recorded, change);
    }
    expect(text).toBe(recorded);
  });

  it('ends with nothing changed whatever was edited', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (a, b) => {
          const before = JSON.stringify(a, null, 1);
          let text = JSON.stringify(b);
          for (const change of changesFrom(before, text)?.values ?? []) {
            text = putBack(text, before, change);
          }
          expect(changesFrom(before, text)?.values).toEqual([]);
        },
      ),
    );
  });

  it('is split into drafts with one change each, as typed', () => {
    const edited = '{"customer":"\\ud800","since":"last week","limit":1e400}';
    const drafts = splitDrafts(recorded, edited, changesFrom(recorded, edited)?.values ?? []);
    expect(drafts.map(({ argumentsText }) => argumentsText)).toEqual([
      recorded.replace('"Hollow Farm"', '"\\ud800"'),
      recorded.replace('9007199254740993', '1e400'),
    ]);
  });
});

describe('places in the text', () => {
  it('are those of the value, or of what is nearest above it', () => {
    const at = (text: string, pointer: string) => {
      const span = spanOf(text, pointer);
      return span === null ? null : text.slice(span.from, span.to);
    };
    expect(at('{"a":{"b": 12}}', '/a/b')).toBe('12');
    expect(at('{"a":{"b": 12}}', '/a/gone')).toBe('{');
    expect(at('{"a":1,"a":2}', '/a~#0')).toBe('1');
    expect(at('{', '/a')).toBeNull();
  });

  it('a missing member is underlined at the bracket of its object only', () => {
    expect(spanOfIssue({ offset: 4, length: 30, keyword: 'required' })).toEqual({ from: 4, to: 5 });
    expect(spanOfIssue({ offset: 4, length: 3, keyword: 'type' })).toEqual({ from: 4, to: 7 });
  });

  it('a text that breaks off is underlined at its last character', () => {
    expect(checkArguments('{"a":1')).toMatchObject({ from: 5, to: 6 });
    expect(checkArguments('{"a":x}')).toMatchObject({ from: 5, to: 6 });
    expect(checkArguments('')).toMatchObject({ from: 0, to: 0 });
    expect(checkArguments('{}')).toBeNull();
  });
});

it('how late a recorded call came is known only from two times of one clock', () => {
  expect(delayBetween('1000000000000000000', '1000000000000000500')).toBe(500);
  expect(delayBetween('2', '1')).toBeNull();
  expect(delayBetween(null, '1')).toBeNull();
});
