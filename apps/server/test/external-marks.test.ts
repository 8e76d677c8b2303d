import { expect, test } from 'vitest';
import { fileOf } from './recordings.ts';
import { openTestServices } from './support.ts';

/** A log of a data set, with its label. */
const LOG = JSON.stringify({
  question: 'Which lock is closed?',
  question_ID: 'q-lock',
  history: [
    { role: 'human', content: 'Which lock is closed?' },
    { role: 'Orchestrator (thought)', content: 'I ask the keeper.' },
    { role: 'WebSurfer', content: 'It is the third.' },
  ],
  mistake_agent: 'WebSurfer',
  mistake_step: '2',
  mistake_reason: 'It counted from the wrong end.',
});

test("a label in the file is told apart from the person's mark, and is no step", async () => {
  const services = await openTestServices();
  const [outcome] = await services.imports.importFiles([fileOf('lock.json', LOG)]);
  expect(outcome).toMatchObject({ error: null, format: 'who-and-when', runs: [{ steps: 3 }] });
  const runId = outcome?.runs[0]?.id;
  if (runId === undefined) throw new Error('no run');
  const steps = await services.store.listSteps(runId);
  const run = await services.runs.get(runId);
  expect(run.mark).toBeNull();
  expect(run.externalMarks).toEqual([
    {
      by: 'Who&When label',
      stepId: steps[2]?.id,
      seq: 3,
      placeText: 'entry 2, counted from 0',
      agent: 'WebSurfer',
      category: null,
      reason: 'It counted from the wrong end.',
      origin: { sha256: run.sources[0]?.sha256, offset: 0, length: LOG.length, pointer: '' },
    },
  ]);
  expect(await services.marks.list(runId)).toEqual([]);
});
