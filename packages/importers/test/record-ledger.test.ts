import type { SourceHash } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { REPEATED, RecordLedger, SetAside } from '../src/record-ledger.ts';

// A digest of no source: 64 lower-case hexadecimal digits, which is what the brand asks for.
const sha256 = 'ab'.repeat(32) as SourceHash;
const at = (offset: number) => ({ offset, length: 1 });
const FIRST = new SetAside('one reason');
const SECOND = new SetAside('another reason');

describe('the account of a source', () => {
  test('adds up, whatever became of its records', () => {
    const ledger = new RecordLedger(sha256);
    ledger.take(at(0), null);
    ledger.take(at(1), FIRST);
    ledger.take(at(2), 'a new kind');
    ledger.malformed(at(3), 'cut');
    expect(ledger.account()).toMatchObject({
      records: { total: 4, understood: 1, setAside: 1, notUnderstood: 1, malformed: 1 },
      unlisted: [],
    });
  });

  test('moves a record that turns out to give nothing, and lists by place', () => {
    const ledger = new RecordLedger(sha256);
    ledger.understood();
    ledger.take(at(9), FIRST);
    ledger.setAsideLate(at(4), REPEATED);
    const { records, unused } = ledger.account();
    expect(records).toMatchObject({ total: 2, understood: 0, setAside: 2 });
    expect(unused.map(({ offset, reason }) => [offset, reason])).toEqual([
      [4, 'repeats an earlier record'],
      [9, 'one reason'],
    ]);
  });

  test('counts by reason what is too much to list, each state for itself', () => {
    const ledger = new RecordLedger(sha256, 2);
    for (let offset = 0; offset < 5; offset += 1) ledger.setAside(at(offset), FIRST);
    ledger.setAside(at(5), SECOND);
    ledger.notUnderstood(at(6), 'a new kind');
    const { records, unused, unlisted } = ledger.account();
    expect(records).toMatchObject({ total: 7, setAside: 6, notUnderstood: 1 });
    expect(unused.map(({ offset }) => offset)).toEqual([0, 1, 6]);
    expect(unlisted).toEqual([
      { state: 'setAside', reason: 'one reason', count: 3 },
      { state: 'setAside', reason: 'another reason', count: 1 },
    ]);
  });

  test('keeps few reasons of records that each have their own', () => {
    const ledger = new RecordLedger(sha256, 1);
    for (let offset = 0; offset < 2000; offset += 1) ledger.malformed(at(offset), `at ${offset}`);
    const { records, unlisted } = ledger.account();
    expect(records.malformed).toBe(2000);
    expect(unlisted.length).toBeLessThan(600);
    expect(unlisted.reduce((sum, { count }) => sum + count, 0)).toBe(1999);
    expect(unlisted.at(-1)).toMatchObject({ state: 'malformed', reason: 'other reasons' });
  });
});
