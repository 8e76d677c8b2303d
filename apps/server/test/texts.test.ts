import { type ReplayFrame, RunIdSchema, SourceHashSchema } from '@misstep/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseDataFolder } from '../src/data-folder.ts';
import { cutText, wholeCharacters } from '../src/services/cut-text.ts';
import { runIdOf } from '../src/services/import/run-id.ts';
import { shownRecords } from '../src/services/replay/shown-records.ts';

describe('cutting text', () => {
  test('keeps whole characters, fits, and counts what it leaves out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (whole, cap) => {
        const { text, sizeBytes, omittedBytes } = cutText(whole, cap);
        expect(whole.startsWith(text)).toBe(true);
        expect(sizeBytes).toBe(Buffer.byteLength(whole));
        expect(Buffer.byteLength(text) + omittedBytes).toBe(sizeBytes);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.max(cap, 0));
        // One more character would not have fitted.
        const next = [...whole.slice(text.length)][0];
        if (next !== undefined) {
          expect(Buffer.byteLength(text) + Buffer.byteLength(next)).toBeGreaterThan(cap);
        }
      }),
    );
  });

  test('of bytes ends where a character does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (whole, length) => {
        const bytes = Buffer.from(whole).subarray(0, length);
        const kept = bytes.subarray(0, wholeCharacters(bytes));
        expect(whole.startsWith(new TextDecoder('utf-8', { fatal: true }).decode(kept))).toBe(true);
        expect(bytes.length - kept.length).toBeLessThan(4);
      }),
    );
  });
});

test('run ids are stable, and differ by each of their parts', () => {
  const hash = (digit: string) => SourceHashSchema.parse(digit.repeat(64));
  const id = runIdOf('plain-text', hash('a'), '1');
  expect(RunIdSchema.parse(id)).toBe(id);
  expect(id).toBe('r4smvkl7inzkrjys7lfyj');
  const others = [
    runIdOf('plain-text', hash('a'), '2'),
    runIdOf('plain-text', hash('b'), '1'),
    runIdOf('plain-tex', hash('a'), 't1'),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
});

test('a flood of frames is shown from both ends, and what is left out is said', () => {
  const frame = (seq: number): ReplayFrame => ({
    seq,
    kind: 'notification',
    method: 'x',
    idText: null,
    remark: null,
    direction: 'server-to-client',
    atNs: seq,
    sizeBytes: 10_000,
    text: 'y'.repeat(10_000),
    textOmittedBytes: 0,
    validUtf8: true,
  });
  const frames = Array.from({ length: 5000 }, (_, index) => frame(index + 1));
  const shown = shownRecords(frames, []);
  expect(shown.frames).toHaveLength(2000);
  expect(shown.frames.at(-1)?.seq).toBe(5000);
  expect(shown.events).toEqual([
    { atNs: 5000, kind: 'note', text: expect.stringContaining('3000 frames') },
  ]);
  const length = shown.frames.reduce((sum, { text }) => sum + text.length, 0);
  expect(length).toBeLessThanOrEqual(8_388_608);
  for (const { text, textOmittedBytes } of shown.frames) {
    expect(text.length + textOmittedBytes).toBe(10_000);
  }
  expect(shownRecords(frames.slice(0, 3), [])).toEqual({ frames: frames.slice(0, 3), events: [] });
});

test('the data folder is the one given, else MISSTEP_DATA, else the user’s own', () => {
  const environment = { MISSTEP_DATA: '/from/environment', LOCALAPPDATA: 'C:\\Local' };
  expect(chooseDataFolder('/given', environment, 'linux')).toBe('/given');
  expect(chooseDataFolder(undefined, environment, 'linux')).toBe('/from/environment');
  expect(chooseDataFolder(undefined, {}, 'linux')).toMatch(/\.misstep$/);
  expect(chooseDataFolder(undefined, { LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/misstep');
});
