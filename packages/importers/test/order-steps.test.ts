import { SourceHashSchema, type Step, type StepId } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderSteps } from '../src/order-steps.ts';
import { makeStep } from '../src/step-builder.ts';

const SHA256 = SourceHashSchema.parse('0'.repeat(64));

function step(id: string, parentId: string | null, startedAtNs: bigint | null): Step {
  const made = makeStep({
    // Ids of a test, not of a recording.
    id: id as StepId,
    kind: 'tool',
    name: id,
    evidence: 'logged',
    origin: { sha256: SHA256, offset: 0, length: 1, pointer: '' },
  });
  made.parentId = parentId as StepId | null;
  made.time.startedAtNs = startedAtNs;
  return made;
}

const streamsOf = (largest: number) =>
  fc
    .array(
      fc.record({
        stream: fc.nat(3),
        parent: fc.option(fc.nat(largest + 2)),
        at: fc.option(fc.bigInt(-5n, 5n)),
      }),
      { maxLength: largest },
    )
    .map((drafts) => {
      const streams: Step[][] = [[], [], [], []];
      for (const [index, { stream, parent, at }] of drafts.entries()) {
        const parentId = parent === null ? null : `s${parent}`;
        streams[stream]?.push(step(`s${index}`, parentId, at));
      }
      return streams;
    });

describe('orderSteps', () => {
  it('leaves a step where it is though what stands below it copied earlier times', () => {
    const main = [step('ask', null, 1n), step('edit', null, 5n), step('summary', null, 20n)];
    const helper = [step('copied', 'summary', 3n), step('call', 'summary', 18n)];
    const below = [step('deep', 'call', 2n)];
    const order = ['ask', 'edit', 'summary', 'copied', 'call', 'deep'];
    expect(orderSteps([main, helper, below]).map(({ id }) => id)).toEqual(order);
  });

  it('gives every step once, numbered, below parents that come before it', () => {
    fc.assert(
      fc.property(streamsOf(40), (streams) => {
        const all = streams.flat();
        const ordered = orderSteps(streams);
        expect(new Set(ordered)).toEqual(new Set(all));
        expect(ordered.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
        const seqOf = new Map(ordered.map(({ id, seq }) => [id, seq]));
        for (const { parentId, seq } of ordered) {
          if (parentId !== null) expect(seqOf.get(parentId)).toBeLessThan(seq);
        }
      }),
    );
  });

  it('keeps parents that are there and lead to no circle', () => {
    fc.assert(
      fc.property(streamsOf(40), (streams) => {
        const before = new Map(streams.flat().map(({ id, parentId }) => [id, parentId]));
        const leadsBack = (id: StepId): boolean => {
          let at = before.get(id) ?? null;
          for (let hops = 0; at !== null && hops <= before.size; hops += 1) {
            if (at === id) return true;
            at = before.get(at) ?? null;
          }
          return false;
        };
        for (const { id, parentId } of orderSteps(streams)) {
          const recorded = before.get(id) ?? null;
          const isThere = recorded !== null && before.has(recorded);
          if (!leadsBack(id)) expect(parentId).toBe(isThere ? recorded : null);
        }
      }),
    );
  });

  it('merges streams by start; a step without a time stays behind the one before it', () => {
    const streams = [
      [step('a', null, 1n), step('b', null, null), step('c', null, 5n)],
      [step('x', null, null), step('y', null, 3n), step('z', null, 2n)],
    ];
    expect(orderSteps(streams).map(({ id }) => id)).toEqual(['x', 'a', 'b', 'y', 'z', 'c']);
  });

  it('cuts a circle at the first step that leads back into it', () => {
    const circle = [step('a', 'c', 1n), step('b', 'a', 2n), step('c', 'b', 3n)];
    expect(orderSteps([circle]).map(({ id, parentId }) => [id, parentId])).toEqual([
      ['b', null],
      ['c', 'b'],
      ['a', 'c'],
    ]);
  });
});
