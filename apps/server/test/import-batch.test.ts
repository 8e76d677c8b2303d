import { expect, test } from 'vitest';
import { fileOf, sessionOf } from './recordings.ts';
import { openTestServices, smallRecording } from './support.ts';

const manySessions = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    fileOf(`s${index}.jsonl`, sessionOf({ sessionId: `session-${index}`, turns: 1 })),
  );

/** The threads that this process starts while `work` runs. */
async function threadsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const onWorker = () => {
    count += 1;
  };
  process.on('worker', onWorker);
  try {
    await work();
  } finally {
    process.off('worker', onWorker);
  }
  return count;
}

test('one thread reads all the sources of a batch', async () => {
  const services = await openTestServices();
  const threads = await threadsOf(async () => {
    const outcomes = await services.imports.importFiles(manySessions(25));
    expect(outcomes.map(({ runs }) => runs.length)).toEqual(Array(25).fill(1));
    expect(new Set(outcomes.map(({ runs }) => runs[0]?.id)).size).toBe(25);
  });
  expect(threads).toBe(1);
});

test('an abort ends the thread, and the next import has another', async () => {
  const services = await openTestServices();
  const controller = new AbortController();
  const stopped = services.imports.importFiles(manySessions(10), {
    signal: controller.signal,
    onOutcome: () => controller.abort(new Error('enough')),
  });
  await expect(stopped).rejects.toThrow('enough');
  const outcomes = await services.imports.importFiles(manySessions(3));
  expect(outcomes.map(({ error }) => error)).toEqual([null, null, null]);
});

test('a source that grows within a batch, and a copy of it with another end, are one run', async () => {
  const services = await openTestServices();
  const short = sessionOf({ sessionId: 'one', turns: 4 });
  const long = sessionOf({ sessionId: 'one', turns: 5 });
  // The same first bytes as the grown one, another end: its last record is told beside the other.
  const fork = `${long.slice(0, -40)}x${long.slice(-39)}`;
  const outcomes = await services.imports.importFiles([
    fileOf('short.jsonl', short),
    fileOf('long.jsonl', long),
  ]);
  const [first, second] = outcomes.map(({ runs }) => runs[0]?.id);
  expect(second).toBe(first);
  const other = await openTestServices();
  const [alone, grown] = await other.imports.importFiles([
    fileOf('fork.jsonl', fork),
    fileOf('long.jsonl', long),
  ]);
  expect(alone?.runs[0]?.id).toBe(grown?.runs[0]?.id);
  const codes = [alone, grown].flatMap((each) => each?.issues.map(({ code }) => code));
  expect(codes).toContain('UUID_REUSED');
});

test("a run's title is one line, whatever its file is called", async () => {
  const services = await openTestServices();
  const [outcome] = await services.imports.importFiles([
    fileOf('one\r\ntwo\u2028three.jsonl', smallRecording()),
  ]);
  expect(outcome?.runs[0]?.title).toMatch(/one two three/);
});
