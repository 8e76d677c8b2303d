import { readFile } from 'node:fs/promises';
import { CASES } from '@misstep/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCaseTarget, type CaseRun, openCaseRun } from './case-run.ts';
import { misstep } from './support.ts';

interface Expected {
  readonly outcome: string;
  /** Whole for a result, else what the sentence holds. */
  readonly sentence: string;
  /** The same over Streamable HTTP, where it says something else there; `true` = the same. */
  readonly http?: { readonly outcome: string; readonly sentence: string } | true;
  /** Remarks on frames that the server wrote, each in part. */
  readonly remarks?: readonly string[];
  /** What `misstep schema` says of it, in part. */
  readonly schema?: readonly string[];
  readonly also?: (replay: Replay) => void;
}

interface Frame {
  readonly direction: string;
  readonly remark: string | null;
  readonly sizeBytes: number;
  readonly textOmittedBytes: number;
}

/** The part of what docs/cli.md documents that is looked at here. */
interface Replay {
  readonly id: string;
  readonly outcome: string;
  readonly outcomeSentence: string;
  readonly frames: readonly Frame[];
  readonly events: readonly { readonly text: string }[];
  readonly comparison: {
    readonly remarks?: readonly string[];
    readonly sizes?: { readonly replayed?: unknown };
  } | null;
}

const UNKNOWN = 'Whether the tool did its work is not known.';
const SOUND = { outcome: 'result', sentence: 'echo answered with a result.' };
const SAME_ID = 'A server must answer with the id as the request wrote it.';
/** Servers from which no readable answer comes are given up after this long. */
const TIMEOUT_MS = 5000;

const EXPECTED: Readonly<Record<string, Expected>> = {
  'required-unlisted': {
    ...SOUND,
    schema: [
      'A strict client would drop all 2 tools because of `echo`: required names `floor`, which is not in properties.',
      'A lenient client would refuse these arguments: The whole lacks `floor`, which is required.',
    ],
  },
  'root-any-of': {
    ...SOUND,
    schema: [
      'A strict client would drop all 2 tools because of `echo`: inputSchema has anyOf at its root, which model interfaces refuse.',
      'A strict client would take these arguments as they are.',
    ],
  },
  'root-any-of-alone': {
    ...SOUND,
    schema: ['because of `echo`: inputSchema has no type, but must have type object.'],
  },
  'structured-missing': {
    outcome: 'result',
    sentence:
      'echo answered with a result. A strict client would refuse this result: the tool declares an outputSchema, and there is no structuredContent.',
    schema: ['A strict client would refuse this result: the tool declares an outputSchema'],
  },
  'structured-different': {
    outcome: 'result',
    sentence:
      'echo answered with a result. A strict client would refuse this result: `/count` must be integer, but is the string "three".',
    schema: ['A strict client would refuse this result: `/count` must be integer'],
  },
  'structured-beside-text': {
    ...SOUND,
    schema: ['A strict client would take this result as it is.'],
    also: ({ comparison }) =>
      expect(comparison?.remarks).toContain(
        'In the live answer the JSON text of /content/0/text and structuredContent disagree at /count.',
      ),
  },
  'destructive-unannotated': {
    ...SOUND,
    schema: ['drift  /annotations  policy', '{"readOnlyHint":true} -> absent'],
  },
  'description-changed': {
    ...SOUND,
    schema: [
      'drift  /description  reading',
      "Direct calls can't show whether models now behave; run the agent again.",
    ],
  },
  'nan-answer': {
    outcome: 'malformedAnswer',
    sentence: `no readable answer came within 5 s. Not JSON: Expected a value at line 1, column 55, but found "NaN". So a strict client drops it, and the call that it answers times out. ${UNKNOWN}`,
    http: true,
    remarks: ['but found "NaN". So a strict client drops it'],
  },
  'nan-in-text': {
    outcome: 'result',
    sentence:
      'echo answered with a result. Its text holds NaN, which JSON does not have, so no strict reader takes it.',
  },
  'pretty-printed': {
    outcome: 'malformedAnswer',
    sentence: `The server spread its answer over several lines, but a stdio message must be one line: clients read none of them; no readable answer came within 5 s. ${UNKNOWN} A server must print its JSON without line breaks.`,
    remarks: ['Not JSON: Expected a key', 'Text that is no JSON where only JSON-RPC may stand'],
  },
  'batch-answer': {
    outcome: 'malformedAnswer',
    sentence: `The server answered inside a batch, which clients of today drop; no readable answer came within 5 s. See the frame. ${UNKNOWN} A server must send each answer as a message of its own.`,
    http: {
      outcome: 'malformedAnswer',
      sentence:
        'inside a batch, which clients of today drop; the HTTP answer ended without an answer',
    },
    remarks: ['A batch, which only revision 2025-03-26 of the protocol has'],
  },
  'string-id': {
    outcome: 'timedOut',
    sentence: `The server answered with id "2", but the call's id is 2, so clients that compare ids exactly saw no answer within 5 s. ${UNKNOWN} Check that before you send it again. ${SAME_ID}`,
    http: {
      outcome: 'malformedAnswer',
      sentence: 'with id "2", but the call\'s id is 2, so clients that compare ids exactly saw no',
    },
    remarks: ['The id is written "2", the request\'s is 2: clients that compare ids exactly drop'],
  },
  'null-id': {
    outcome: 'timedOut',
    sentence: `The server answered with the id null, but the call's id is 2, so clients saw no answer within 5 s. ${UNKNOWN} Check that before you send it again. ${SAME_ID}`,
    http: {
      outcome: 'malformedAnswer',
      sentence: "The server answered with the id null, but the call's id is 2",
    },
    remarks: ['The id is null, which MCP does not allow: it answers no request.'],
  },
  'absent-id': {
    outcome: 'timedOut',
    sentence: "The server answered with no id, but the call's id is 2, so clients saw no answer",
    http: {
      outcome: 'malformedAnswer',
      sentence: "The server answered with no id, but the call's id is 2",
    },
    remarks: ['An answer without "id": it answers no request.'],
  },
  'large-id': {
    outcome: 'timedOut',
    sentence: `The server answered id 9007199254740993, but the call's id is 2, so the call has no answer within 5 s. ${UNKNOWN}`,
    http: {
      outcome: 'malformedAnswer',
      sentence: "The server answered id 9007199254740993, but the call's id is 2",
    },
    remarks: ['The id 9007199254740993 is larger than clients can hold exactly. Answers id 90'],
  },
  'answers-twice': {
    ...SOUND,
    http: true,
    remarks: ['A second answer to the request with id 2: the first one counts.'],
  },
  'answers-notification': {
    ...SOUND,
    http: true,
    remarks: ['It came before the call: nothing may answer a notification'],
  },
  'refuses-notification': {
    ...SOUND,
    http: true,
    remarks: ['It came before the call: nothing may answer a notification'],
  },
  'progress-after-cancel': {
    outcome: 'timedOut',
    sentence:
      'After the call was cancelled the server still told of progress, so it had not stopped.',
    http: true,
    remarks: ['Progress after the call was cancelled: a server should stop then'],
  },
  'session-lost': {
    outcome: 'connectionLost',
    sentence:
      'The session is lost: the server no longer knows the session that it opened (HTTP 404 Not Found). By the protocol such a server has not carried out the request. Send it again: each replay opens a session of its own.',
    remarks: ['It came with HTTP 404 Not Found: clients take no result from that.'],
  },
  'resumed-stream': {
    ...SOUND,
    also: ({ events }) =>
      expect(events.map(({ text }) => text)).toContain('resumed the event stream after event e1'),
  },
  'unresumable-stream': {
    outcome: 'connectionLost',
    sentence: `the event stream after event e1 could not be resumed (HTTP 405 Method Not Allowed). ${UNKNOWN} Check that before you send it again. The frames so far are kept.`,
  },
  'half-stream': {
    outcome: 'connectionLost',
    sentence: `it gave no event id to resume the stream from. ${UNKNOWN} Check that before you send it again. The frames so far are kept.`,
    remarks: ['The stream ended inside this event: clients must drop it.'],
  },
  'datetime-repr': {
    outcome: 'result',
    sentence:
      'echo answered with a result. Its text holds datetime.datetime(2026, 11, 17, 9, 30), an object as a program prints it and no JSON: a reader has to guess its values.',
  },
  'answer-10-mb': {
    ...SOUND,
    // Kept whole, shown in part, and counted.
    also: ({ frames, comparison }) => {
      const answer = frames.findLast(({ direction }) => direction === 'server-to-client');
      expect(answer?.sizeBytes).toBeGreaterThan(10_000_000);
      expect(answer?.textOmittedBytes).toBe((answer?.sizeBytes ?? 0) - 256 * 1024);
      expect(comparison?.sizes?.replayed).toEqual({
        sizeBytes: 10_000_055,
        estimatedTokens: 2_500_014,
      });
    },
  },
  'answer-100-mb': {
    outcome: 'tooLarge',
    sentence: `The server sent more than Misstep takes: a frame is larger than 67108864 bytes. The limit is fixed; what came up to it is kept. ${UNKNOWN} Ask for less`,
    remarks: ['Cut by Misstep at 64 MiB, the largest frame that it keeps'],
  },
  timestamped: SOUND,
  'swaps-answers': SOUND,
  // Its key is good as long as nobody says that it has expired.
  'expired-token': { ...SOUND, http: true },
};

let run: CaseRun;
beforeAll(async () => {
  run = await openCaseRun();
});
afterAll(() => run.remove());

function send(target: string, ...words: string[]) {
  const { dataFolder, runId, step } = run;
  return misstep(dataFolder, ['replay', runId, step, '--target', target, '--json', ...words]);
}

/** What `misstep replay --json` prints for the case. */
async function replayCase(
  name: string,
  transport: 'stdio' | 'streamable-http',
  timeoutMs: number,
): Promise<Replay> {
  const target = await addCaseTarget(run, name, transport);
  const sent = await send(target.name, '--yes', '--timeout', String(timeoutMs));
  await target.stop();
  // What the command prints is documented in docs/cli.md.
  const [replay] = sent.documents() as unknown as Replay[];
  if (replay === undefined) throw new Error(sent.err);
  const isAnswered = replay.outcome === 'result' || replay.outcome === 'toolError';
  expect(sent.exitCode).toBe(isAnswered ? 0 : 1);
  return replay;
}

const WAITS = new Set(['timedOut', 'malformedAnswer']);
const rows = CASES.flatMap(({ name, transports }) => {
  const expected = EXPECTED[name];
  if (expected === undefined) return [];
  const first = transports[0] ?? 'stdio';
  const second = expected.http === undefined ? [] : (['streamable-http'] as const);
  return [first, ...second].map((transport) => {
    const says =
      transport === first || typeof expected.http !== 'object' ? expected : expected.http;
    return [name, transport, says.outcome, says.sentence] as const;
  });
});

test('each case is expected to show something, and documented', async () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(CASES.map(({ name }) => name).sort());
  const page = await readFile(new URL('../../../docs/cases.md', import.meta.url), 'utf8');
  expect(CASES.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

async function expectCase([name, transport, outcome, sentence]: (typeof rows)[number]) {
  const timeoutMs = WAITS.has(outcome) ? TIMEOUT_MS : 100_000;
  const replay = await replayCase(name, transport, timeoutMs);
  expect(replay.outcomeSentence).toContain(sentence);
  expect(replay.outcome).toBe(outcome);
  if (outcome === 'result') expect(replay.outcomeSentence).toBe(sentence);
  const wanted = EXPECTED[name]?.remarks ?? [];
  const remarks = replay.frames.map(({ remark }) => remark ?? '');
  for (const remark of wanted) {
    expect(remarks).toContainEqual(expect.stringContaining(remark));
  }
  // What is sound gets no remark.
  if (wanted.length === 0) expect(remarks.filter((remark) => remark !== '')).toEqual([]);
  EXPECTED[name]?.also?.(replay);
  const schema = EXPECTED[name]?.schema;
  if (schema === undefined) return;
  const { out } = await misstep(run.dataFolder, ['schema', replay.id]);
  for (const words of schema) expect(out).toContain(words);
}

const isQuick = ([name]: (typeof rows)[number]) => name !== 'progress-after-cancel';

describe.concurrent('misstep replay --json', () => {
  test.each(rows.filter(isQuick))('%s over %s: %s', (...row) => expectCase(row), 120_000);
});

// What comes after the end is waited for a moment only: beside dozens of others that may be too short.
describe('misstep replay --json, alone', () => {
  test.each(rows.filter((row) => !isQuick(row)))(
    '%s over %s: %s',
    (...row) => expectCase(row),
    120_000,
  );
});
