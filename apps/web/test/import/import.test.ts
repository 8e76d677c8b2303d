import { type ImportState, ImportStateSchema } from '@misstep/contract';
import { describe, expect, it } from 'vitest';
import { importOfFiles } from '../../src/features/import/collect-files.ts';
import {
  endedWords,
  fatesText,
  keptWords,
  phaseWords,
  rateWords,
  sumFates,
} from '../../src/features/import/import-words.ts';

const file = (name: string) => ({ name, file: new Blob(['{}']) });

describe('an import of files', () => {
  it('is named by its file, its folder, or how many there are', () => {
    expect(importOfFiles([])).toBeNull();
    expect(importOfFiles([file('a.jsonl')])?.name).toBe('a.jsonl');
    expect(importOfFiles([file('s/a.jsonl'), file('s/sub/b.jsonl')])?.name).toBe('s/, 2 files');
    expect(importOfFiles([file('s/a.jsonl'), file('b.jsonl')])?.name).toBe('2 files');
  });
});

const NONE = { total: 0, understood: 0, setAside: 0, notUnderstood: 0, malformed: 0 };

function stateOf(changes: object, summary: object = {}): ImportState {
  return ImportStateSchema.parse({
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    name: 'a',
    state: 'done',
    phase: null,
    format: null,
    fileCount: 1,
    receivedFiles: 1,
    recognisedFiles: 1,
    sizeBytes: 10,
    readBytes: 10,
    records: 5,
    steps: 4,
    startedAt: '2026-11-01T00:00:00Z',
    elapsedMs: 5,
    remainingMs: null,
    summary: {
      fates: { imported: 1, known: 0, setAside: 0, failed: 0 },
      runCount: 1,
      run: null,
      steps: 4,
      records: { ...NONE, total: 9, understood: 9 },
      remarkCount: 0,
      onlySource: null,
      ...summary,
    },
    sources: [],
    sourcesOmitted: 0,
    error: null,
    ...changes,
  });
}

describe('what an import does', () => {
  it('says the phase, and of how many files it is done', () => {
    const files = { fileCount: 1200, receivedFiles: 3, recognisedFiles: 40 };
    expect(phaseWords(stateOf({ ...files, phase: 'receiving' }))).toBe(
      'receiving, 3 of 1,200 files',
    );
    expect(phaseWords(stateOf({ ...files, phase: 'recognising' }))).toBe(
      'recognising, 40 of 1,200 files',
    );
    expect(phaseWords(stateOf({ phase: 'receiving' }))).toBe('receiving');
    expect(phaseWords(stateOf({ phase: 'saving' }))).toBe('saving the steps');
    expect(phaseWords(stateOf({ phase: 'waiting' }))).toBe('waiting for another import');
  });

  it('says rate and time left of the phase that it is in', () => {
    const reading = { state: 'reading', phase: 'reading', sizeBytes: 300e6, elapsedMs: 60_000 };
    expect(rateWords(stateOf({ ...reading, readBytes: 100e6, remainingMs: 20_000 }))).toBe(
      '10.0 MB/s, 20 s left',
    );
    expect(rateWords(stateOf({ ...reading, readBytes: 1, remainingMs: null }))).toBe('');
    expect(rateWords(stateOf({ ...reading, readBytes: 300e6, remainingMs: 0 }))).toBe('');
  });

  it('says what is kept when it was cancelled', () => {
    const cancelled = { state: 'cancelled', fileCount: 5 };
    const fates = { imported: 3, known: 0, setAside: 0, failed: 0 };
    expect(keptWords(stateOf(cancelled, { runCount: 0 }))).toBe('cancelled, nothing was kept');
    expect(keptWords(stateOf(cancelled, { runCount: 2, fates }))).toBe(
      'cancelled, 2 runs of 3 sources read before are kept',
    );
    expect(keptWords(stateOf({ ...cancelled, phase: 'ending' }, { runCount: 0 }))).toBe(
      'cancelling: what was saved before is kept',
    );
  });
});

describe('what imports came to', () => {
  const fates = { imported: 340, known: 2, setAside: 1, failed: 3 };

  it('counts what became of the sources, and says nothing of what there is none of', () => {
    expect(endedWords(stateOf({}, { fates, remarkCount: 7 }))).toBe(
      '3 failed, 340 imported, 2 known already, 1 set aside, 7 notes',
    );
    expect(fatesText({ imported: 1, known: 0, setAside: 0, failed: 2 })).toBe(
      '2 failed, 1 imported',
    );
    expect(sumFates([stateOf({}), stateOf({}, { fates })])).toEqual({ ...fates, imported: 341 });
  });

  it('says of one source what came of it', () => {
    expect(endedWords(stateOf({}))).toBe('9 records, all understood');
    const known = { imported: 0, known: 1, setAside: 0, failed: 0 };
    expect(endedWords(stateOf({}, { fates: known }))).toBe('imported before, nothing changed');
  });
});
