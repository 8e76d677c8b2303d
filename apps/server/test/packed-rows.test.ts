import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRows, readPage } from '../src/jobs/packed-rows.ts';

const inputOf = (recorded: unknown, live: unknown) => ({
  transcriptText: JSON.stringify(recorded),
  transcriptIsCut: false,
  transcriptEvidence: 'logged' as const,
  replayedText: JSON.stringify(live),
});

test('a page from packs is the page of all rows, wherever it stands and whatever it is cut from', async () => {
  const items = Array.from({ length: 1700 }, (_, at) => ({ at, text: `\ud800 ${at}` }));
  const input = inputOf(
    items,
    items.map(({ at, text }) => ({ at: at % 7 === 0 ? at + 1 : at, text })),
  );
  for (const verdicts of [undefined, ['server differs now' as const]]) {
    const all = await readPage({ verdicts, offset: 0, limit: 10_000 }, async (offset) =>
      packRows(input, { verdicts, offset }, []),
    );
    expect(all.rows.length).toBe(all.total);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(all.total + 5),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 900 }),
        async (offset, limit, most) => {
          // Packs that hold fewer rows than fit: a page may need several of them.
          const page = await readPage({ verdicts, offset, limit }, async (from) => {
            const pack = packRows(input, { verdicts, offset: from }, []);
            const blocks = pack.blocks.slice(0, Math.max(1, Math.ceil(most / 500)));
            return { ...pack, blocks, count: blocks.reduce((sum, { count }) => sum + count, 0) };
          });
          expect(page).toEqual({ rows: all.rows.slice(offset, offset + limit), total: all.total });
        },
      ),
      { numRuns: 20 },
    );
  }
});

test('texts of packed rows are masked before they are cut', async () => {
  const secret = { value: 'k-0123456789-secret', mask: '(secret SHELF_KEY)' };
  const long = `${'x'.repeat(65_530)}${secret.value}`;
  const { rows } = await readPage({ offset: 0, limit: 10 }, async (offset) =>
    packRows(inputOf([long], [long]), { offset }, [secret]),
  );
  expect(rows[0]?.replayed).not.toContain('k-01');
  expect(rows[0]?.omittedBytes?.replayed).toBeGreaterThan(0);
});
