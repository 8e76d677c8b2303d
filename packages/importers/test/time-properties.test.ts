import { buildSkeleton, type RunClock, STEP_FLAGS, type Step, totalsOf } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseFormat, type ImportResult, makeSourceHead } from '../src/index.ts';
import { listFixtures, loadFixture } from './fixtures.ts';
import { sourceOfText, stepsOf } from './support.ts';

async function read(text: string): Promise<ImportResult> {
  const main = sourceOfText(text);
  const { importer } = chooseFormat(await makeSourceHead(main));
  if (importer === null) throw new Error('no format');
  return importer.read({ main, companions: [] });
}

const isSkewed = (flags: number | undefined) => ((flags ?? 0) & STEP_FLAGS.clockSkew) !== 0;

/** What is drawn: nothing of it may be negative, whatever the source says. */
function drawn(steps: readonly Step[]) {
  const skeleton = buildSkeleton(totalsOf(steps), steps, new Set());
  for (const ns of [...skeleton.startsNs, ...skeleton.durationsNs]) {
    if (ns !== null) expect(ns).toBeGreaterThanOrEqual(0);
  }
  return skeleton;
}

/** Nanoseconds of the years 1990 to 2100, with digits that a double can't hold. */
const instant = fc.bigInt({ min: 631_152_000_000_000_000n, max: 4_102_444_800_000_000_000n });

describe('times of any source', () => {
  test('are exact to the nanosecond, and an end before its start is flagged and never drawn', async () => {
    await fc.assert(
      fc.asyncProperty(instant, instant, async (start, end) => {
        const span = {
          traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
          spanId: '00f067aa0ba902b7',
          name: 'execute_tool ring',
          startTimeUnixNano: String(start),
          endTimeUnixNano: String(end),
          attributes: [{ key: 'gen_ai.tool.name', value: { stringValue: 'ring' } }],
        };
        const result = await read(
          JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
        );
        const steps = stepsOf(result);
        const { time } = steps[0] ?? {};
        const backwards = end < start;
        expect(time).toMatchObject({
          startedAtNs: start,
          endedAtNs: backwards ? null : end,
          startedAtText: String(start),
          endedAtText: String(end),
        });
        expect(result.issues.map(({ code }) => code)).toEqual(
          backwards ? ['END_BEFORE_START'] : [],
        );
        expect(isSkewed(drawn(steps).flags[0])).toBe(backwards);
      }),
      { numRuns: 60 },
    );
  });

  test('of messages out of order keep their text, and no bar is negative', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 3, maxLength: 3 }),
        async (offsets) => {
          const at = (index: number) => 1_795_500_000 + (offsets[index] ?? 0) / 1000;
          const messages = [
            { role: 'user', content: 'Mend the bell.', extra: { timestamp: at(0) } },
            { role: 'assistant', content: 'look\n\n```bash\nls\n```', extra: { timestamp: at(1) } },
            {
              role: 'user',
              content: '<returncode>0</returncode>\n<output>\na\n</output>',
              extra: { timestamp: at(2) },
            },
          ];
          const text = JSON.stringify({
            trajectory_format: 'mini-swe-agent-1.1',
            info: {},
            messages,
          });
          const steps = stepsOf(await read(text));
          const { flags } = drawn(steps);
          const call = steps.findIndex(({ kind }) => kind === 'tool');
          expect(steps[call]?.time.startedAtText).toBe(JSON.stringify(at(1)));
          expect(steps[call]?.time.endedAtText).toBe(JSON.stringify(at(2)));
          if (at(2) < at(1)) expect(isSkewed(flags[call])).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of a session whose clock jumps keep its order, and no bar is negative', async () => {
    const jump = fc.integer({ min: -7_200_000, max: 7_200_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { minLength: 4, maxLength: 4 }), async (jumps) => {
        const at = (index: number) =>
          new Date(1_795_500_000_000 + (jumps[index] ?? 0)).toISOString();
        const head = { sessionId: 's1', version: '2.1.0', isSidechain: false, cwd: '/desk' };
        const use = { type: 'tool_use', id: 't1', name: 'Bash', input: {} };
        const lines = [
          {
            type: 'user',
            uuid: 'a',
            parentUuid: null,
            timestamp: at(0),
            message: { role: 'user', content: 'Go.' },
          },
          {
            type: 'assistant',
            uuid: 'b',
            parentUuid: 'a',
            timestamp: at(1),
            message: { id: 'm1', role: 'assistant', model: 'x', content: [use] },
          },
          {
            type: 'user',
            uuid: 'c',
            parentUuid: 'b',
            timestamp: at(2),
            message: {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }],
            },
          },
          {
            type: 'assistant',
            uuid: 'd',
            parentUuid: 'c',
            timestamp: at(3),
            message: {
              id: 'm2',
              role: 'assistant',
              model: 'x',
              content: [{ type: 'text', text: 'Done.' }],
            },
          },
        ];
        const text = lines.map((line) => `${JSON.stringify({ ...head, ...line })}\n`).join('');
        const steps = stepsOf(await read(text));
        expect(steps.map(({ kind }) => kind)).toEqual(['user', 'model', 'tool', 'model']);
        const { flags } = drawn(steps);
        expect(steps[2]?.time.endedAtText).toBe(at(2));
        if (at(2) < at(1)) expect(isSkewed(flags[2])).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

test.each([
  ['2026-11-24T08:00:02.250000', 'local'],
  ['2026-11-24T08:00:02.250000Z', 'zoned'],
  ['2026-11-24T08:00:02.250000+01:00', 'zoned'],
] satisfies [string, RunClock][])(
  'a source that writes %s has the clock %s',
  async (timestamp, clock) => {
    const history = [
      {
        id: 0,
        timestamp,
        source: 'user',
        action: 'message',
        message: 'Go.',
        args: { content: 'Go.' },
      },
    ];
    const result = await read(JSON.stringify(history));
    expect(result.runs.map((run) => run.clock)).toEqual([clock]);
  },
);

describe('the fixtures', () => {
  test.each(listFixtures().map((fixture) => [fixture.name, fixture] as const))(
    '%s draws nothing negative, and keeps the text of every time that it read',
    async (_name, fixture) => {
      const { main, companions } = await loadFixture(fixture);
      const result = await fixture.importer.read({ main, companions });
      for (const run of result.runs) {
        drawn(run.steps);
        if (run.clock === 'none') {
          expect(run.steps.every(({ time }) => time.startedAtNs === null)).toBe(true);
        }
        for (const { time } of run.steps) {
          // Times of a clock without a known zero are sums of durations; a capture's are binary.
          const read =
            time.startedAtNs !== null &&
            time.evidence !== 'derived' &&
            run.clock !== 'monotonic' &&
            fixture.importer.id !== 'pcap';
          if (read && time.startedAtText === null) expect(time.endedAtText).not.toBeNull();
        }
      }
    },
  );
});
