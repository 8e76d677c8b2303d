import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readInPages } from '../src/index.ts';
import { PagePool } from '../src/page-pool.ts';
import { renderResult } from './expectation.ts';
import { listFixtures, loadFixture } from './fixtures.ts';
import { expectAccountsAddUp, expectSchemas } from './invariants.ts';
import { MemoryPages } from './memory-pages.ts';

const fixtures = listFixtures().map((fixture) => [fixture.name, fixture] as const);

/** One step at hand beside the one that is made: whoever holds on to more is found out. */
const TIGHT = { itemsPerPage: 1, pagesAtHand: 2 };

describe.each(fixtures)('%s', (_name, fixture) => {
  test('gives the same when nearly all steps are packed away', async () => {
    const { main, companions } = await loadFixture(fixture);
    const readers = [main, ...companions.map(({ reader }) => reader)];
    const input = { main, companions };
    const whole = await fixture.importer.read(input);
    const store = new MemoryPages();
    const paged = await readInPages(fixture.importer, input, store, TIGHT);
    const steps = whole.runs.reduce((sum, run) => sum + run.steps.length, 0);
    if (steps > 2) expect(store.written).toBeGreaterThanOrEqual(steps - 2);
    expect(await renderResult(paged, readers)).toEqual(await renderResult(whole, readers));
    expectAccountsAddUp(paged, readers);
    const before = store.written;
    expectSchemas(whole);
    for (const run of paged.runs) {
      for (const [index, step] of run.steps.entries()) {
        expect(plain(step)).toEqual(
          plain(whole.runs.find(({ key }) => key === run.key)?.steps[index]),
        );
      }
    }
    // What is only looked at is not packed again.
    expect(store.written).toBeLessThanOrEqual(before + 4);
  });
});

test('items come back as they were left, whatever is looked at in between', () => {
  const codec = {
    pack: (items: readonly { value: number }[]) =>
      new TextEncoder().encode(JSON.stringify(items.map(({ value }) => value))),
    unpack: (bytes: Uint8Array) =>
      // Written by `pack`.
      (JSON.parse(new TextDecoder().decode(bytes)) as number[]).map((value) => ({ value })),
  };
  const act = fc.oneof(
    fc.record({ kind: fc.constant('hold' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('change' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('read' as const), at: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(act), fc.integer({ min: 1, max: 4 }), (acts, itemsPerPage) => {
      const pool = new PagePool(new MemoryPages(), codec, { itemsPerPage, pagesAtHand: 2 });
      const held: { place: ReturnType<typeof pool.hold>; value: number }[] = [];
      for (const { kind, at } of acts) {
        const one = held[at % Math.max(1, held.length)];
        if (kind === 'hold') held.push({ place: pool.hold({ value: at }), value: at });
        else if (one === undefined) continue;
        else if (kind === 'read') {
          expect(one.place.page.read(one.place.slot).value).toBe(one.value);
        } else {
          one.value += 1;
          one.place.page.change(one.place.slot).value += 1;
        }
      }
      for (const { place, value } of held) expect(place.page.read(place.slot).value).toBe(value);
    }),
  );
});

function plain(step: object | undefined): unknown {
  if (step === undefined) return undefined;
  const keys = [
    'id',
    'seq',
    'parentId',
    'kind',
    'name',
    'server',
    'tool',
    'callId',
    'model',
    'time',
  ];
  keys.push('status', 'statusReason', 'pairing', 'arguments', 'result', 'content', 'usage');
  keys.push('evidence', 'origin', 'moreOrigins', 'summary', 'emptyResult');
  return Object.fromEntries(keys.map((key) => [key, Reflect.get(step, key)]));
}
