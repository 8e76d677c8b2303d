import { ok } from '@misstep/model';
import { expect, it } from 'vitest';
import {
  AttributeExperiment,
  RaceExperiment,
  RepeatExperiment,
  runExperiment,
  type SendOnce,
  type SentOutcome,
} from '../src/index.ts';

/** Answers after the first are too large together: of them only the hash is known. */
function largeAnswers(hashOf: (call: number) => string): SendOnce {
  let call = 0;
  return async () => {
    call += 1;
    const resultText = call === 1 ? '{"structuredContent":{"n":1}}' : null;
    const sent: SentOutcome = {
      replayId: null,
      outcome: 'result',
      resultText,
      notLookedIntoSha256: call === 1 ? null : hashOf(call),
      callDurationNs: 1,
    };
    return ok(sent);
  };
}

const options = { signal: new AbortController().signal };

it.each(['value', 'count'] as const)(
  'nothing is attributed by a %s that was not seen',
  async (kind) => {
    const made = AttributeExperiment.create({
      textA: '{"a":1}',
      textB: '{"a":2}',
      signature: { kind, pointer: '/structuredContent/n' },
      ignoredPointers: [],
      repeats: 1,
      seed: 1,
    });
    if (!made.ok) throw new Error(made.error);
    await runExperiment(
      made.value,
      largeAnswers(() => 'f'.repeat(64)),
      options,
    );
    const { refusal, judgements, cells } = made.value.matrix();
    expect(refusal).toMatch(/1 of 2 answers could not be looked into/);
    expect(judgements).toEqual([]);
    expect(cells.flatMap(({ signature }) => signature ?? [])).not.toContain('(not looked into)');
  },
);

it('repeated calls: equal bytes stay equal, what moves is not told', async () => {
  const repeat = () => new RepeatExperiment({ argumentsText: '{}', times: 3 });
  const [same, other] = [repeat(), repeat()];
  await runExperiment(
    other,
    largeAnswers((call) => String(call)),
    options,
  );
  expect(other.matrix()).toMatchObject({ sameBytes: false, movingPointers: [] });
  expect(other.matrix().sentence).toContain('2 of 3 could not be looked into');
  await runExperiment(
    same,
    largeAnswers(() => 'f'),
    options,
  );
  expect(same.matrix().rows.map(({ sameBytesAs }) => sameBytesAs)).toEqual([1, 2, 2]);
});

it('calls at once are not held against an answer alone that was not seen', async () => {
  const race = new RaceExperiment({
    textA: '{}',
    textB: null,
    atOnce: 2,
    connections: 'one',
  });
  await runExperiment(
    race,
    largeAnswers(() => 'f'),
    options,
  );
  const raced = { replayId: null, connection: 'c1', outcome: 'result', callDurationNs: 1 } as const;
  const resultText = '{"structuredContent":{"n":1}}';
  race.recordRace([1, 2].map((answeredAtNs) => ({ ...raced, resultText, answeredAtNs })));
  const { rows, sentence } = race.matrix();
  expect(rows.map(({ likeAlone }) => likeAlone)).toEqual([null, null]);
  expect(sentence).toContain('1 answer alone could not be looked into');
  expect(sentence).not.toContain('every answer is the one');
});
