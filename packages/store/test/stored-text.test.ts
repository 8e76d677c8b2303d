import type { Outcome } from '@misstep/model';
import { NO_TARGET_SETTINGS } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../src/stored-text.ts';
import {
  addSource,
  makeFrame,
  makeImport,
  makeReplay,
  makeRun,
  makeStep,
  openTemporaryStore,
  stepIdOf,
  targetNameOf,
  value,
} from './support.ts';

/** Any string of UTF-16 code units, the awkward ones often. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(0, 0x22, 0x5c, 0xd800, 0xdfff, 0xfeff, 0xfffe, 0x0a, 0x27, 0x65e5),
        fc.integer({ min: 0, max: 0xffff }),
      ),
      { maxLength: 12 },
    )
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom('\ud800', '\u0000', 'a\u0000b', '"', '"a"', '__proto__', '\udc00\ud800', ''),
);

/** As UTF-8 would have it: what neither a lone surrogate nor NUL survives. */
const survivesUtf8 = (text: string) =>
  !text.includes('\0') && Buffer.from(text, 'utf8').toString('utf8') === text;

describe('stored text', () => {
  it('comes back as it was and is plain UTF-8 in between', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = encodeText(text);
        expect(survivesUtf8(stored)).toBe(true);
        expect(decodeText(stored)).toBe(text);
      }),
    );
  });

  it('stands as it is wherever it can', () => {
    expect(encodeText('naïve 日本 😀 \\ "x"')).toBe('naïve 日本 😀 \\ "x"');
  });

  it('is told apart by every column that people or recordings fill', async () => {
    const store = await openTemporaryStore();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 6, maxLength: 6 }), async (texts) => {
        const text = (index: number) => texts[index] ?? '';
        number += 1;
        const source = await addSource(store, `content ${number}`, text(0));
        const { sha256 } = source;
        const inline = { ...value(sha256, 1), encoding: 'inline' as const, inlineText: text(1) };
        const time = {
          startedAtNs: null,
          endedAtNs: null,
          startedAtText: text(2),
          endedAtText: text(3),
          evidence: 'rendered' as const,
        };
        const step = makeStep(sha256, 1, {
          name: text(0),
          server: text(1),
          tool: text(2),
          callId: text(3),
          model: text(4),
          statusReason: text(5),
          summary: text(0),
          time,
          arguments: {
            ...inline,
            elisions: [{ pointer: text(4), kind: 'items', count: 2, marker: text(5) }],
          },
          content: [{ kind: 'text', value: inline }],
          origin: { sha256, offset: 0, length: 1, pointer: text(3) },
        });
        const frames = [
          makeFrame(sha256, 1, { method: text(0), idText: text(1), remark: text(2) }),
        ];
        const run = {
          ...makeRun(sha256, {
            number,
            steps: [step, makeStep(sha256, 2)],
            frames,
            run: { title: text(1), client: text(2), model: text(3), naturalId: text(4) },
          }),
          sources: [{ sha256, role: 'main' as const, part: text(5) }],
        };
        const runId = run.run.id;
        const unused = [
          { sha256, offset: 0, length: 1, state: 'malformed' as const, reason: text(4) },
        ];
        const records = { total: 1, understood: 0, setAside: 0, notUnderstood: 0, malformed: 1 };
        const issue = { code: 'ODD', message: text(5), sha256, offset: null };
        await store.saveImport(
          makeImport(sha256, [run], {
            sources: [{ sha256, records, unused, unlisted: [], lineage: sha256 }],
            issues: [issue],
          }),
        );
        const tags = [text(0), text(1)];
        const outcome: Outcome = { verdict: 'wrong', text: text(2) };
        const draft = {
          place: { kind: 'gap' as const, afterStepId: stepIdOf(2) },
          category: text(3),
          reason: text(4),
          citations: [{ stepId: stepIdOf(1), part: 'result' as const, pointer: text(5) }],
        };
        await store.updateRun(runId, { tags, outcome });
        const mark = await store.putMark(runId, draft, text(0));
        expect(mark).toMatchObject(draft);
        const replay = makeReplay(number, {
          runId,
          tool: text(1),
          argumentsText: text(2),
          idempotencyKey: `${number} ${text(3)}`,
        });
        await store.createReplay(replay);
        const end = { outcome: 'timedOut' as const, outcomeSentence: text(4), comparison: null };
        await store.finishReplay(replay.id, { ...end, receiptText: JSON.stringify(text(5)) });
        const target = {
          name: targetNameOf(`t${number}`),
          address: { transport: 'stdio' as const, command: text(0), args: [text(1)], cwd: text(2) },
          settings: {
            ...NO_TARGET_SETTINGS,
            importedFrom: { path: text(3), entry: text(4) },
          },
        };
        await store.addTarget(target);
        await store.setSetting(text(0), text(1));

        expect(await store.findSource(sha256)).toEqual(source);
        expect(source.name).toBe(text(0));
        expect(await store.listSteps(runId)).toEqual(run.steps);
        expect((await store.listFrames(runId, { offset: 0, limit: 9 })).frames).toEqual(frames);
        expect(await store.getRun(runId)).toMatchObject({
          run: run.run,
          startedAtText: text(2),
          tags,
          outcome,
          mark,
          markSeq: 2,
          issues: [issue],
          sources: [{ part: text(5), name: text(0) }],
        });
        expect((await store.findRunsByNaturalId('claude-code', text(4))).length).toBeGreaterThan(0);
        expect((await store.listUnused(runId, { offset: 0, limit: 9 })).records).toEqual(unused);
        expect(await store.listMarks(runId)).toEqual([mark]);
        expect(await store.findReplayByKey(replay.idempotencyKey)).toMatchObject({
          ...replay,
          ...end,
          receipt: text(5),
        });
        expect(await store.getTarget(target.name)).toMatchObject(target);
        expect(await store.getSetting(text(0))).toBe(text(1));
      }),
      { numRuns: 40 },
    );
  });
});
