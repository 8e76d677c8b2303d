import { ImportStateSchema } from '@misstep/contract';
import { describe, expect, it } from 'vitest';
import { importOfFiles } from '../../src/features/import/collect-files.ts';
import { progressWords } from '../../src/features/import/import-row.tsx';
import { summarizeImport } from '../../src/features/import/import-summary.ts';

const file = (name: string) => ({ name, file: new Blob(['{}']) });

describe('an import of files', () => {
  it('is named by its file, its folder, or how many there are', () => {
    expect(importOfFiles([])).toBeNull();
    expect(importOfFiles([file('a.jsonl')])?.name).toBe('a.jsonl');
    expect(importOfFiles([file('s/a.jsonl'), file('s/sub/b.jsonl')])?.name).toBe('s/, 2 files');
    expect(importOfFiles([file('s/a.jsonl'), file('b.jsonl')])?.name).toBe('2 files');
  });
});

describe('what an import came to', () => {
  const source = (changes: object) => ({
    path: 'a.jsonl',
    source: { sha256: 'a'.repeat(64), sizeBytes: 10 },
    format: 'plain-text',
    formatScore: 1,
    scores: [],
    alreadyImported: false,
    runs: [
      {
        id: `r${'0'.repeat(20)}`,
        title: 'One',
        steps: 4,
        toolCalls: 1,
        modelCalls: 1,
        startedAt: null,
        endedAt: null,
      },
    ],
    records: { total: 9, understood: 2, setAside: 4, notUnderstood: 2, malformed: 1 },
    issues: [],
    ...changes,
  });
  const state = (sources: object[]) =>
    ImportStateSchema.parse({
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      name: 'a',
      sourcesOmitted: 0,
      state: 'done',
      format: null,
      sizeBytes: 10,
      readBytes: 10,
      records: 5,
      steps: 4,
      startedAt: '2026-11-01T00:00:00Z',
      elapsedMs: 5,
      remainingMs: null,
      sources,
      error: null,
    });

  it('counts a run of two sources once, and every record that was not read', () => {
    const summary = summarizeImport(state([source({}), source({ format: null, runs: [] })]));
    expect(summary).toMatchObject({
      runs: [{ title: 'One' }],
      steps: 4,
      notUnderstood: 4,
      malformed: 2,
      setAsideRecords: 8,
      totalRecords: 18,
      unrecognised: 1,
      nothingNew: false,
    });
  });

  it('says rate and time left of the phase that it is in, and that it saves', () => {
    const reading = {
      ...state([]),
      state: 'reading' as const,
      sizeBytes: 300e6,
      elapsedMs: 60_000,
    };
    expect(progressWords({ ...reading, readBytes: 100e6, remainingMs: 20_000 })).toBe(
      '10.0 MB/s, 20 s left',
    );
    expect(progressWords({ ...reading, readBytes: 1, remainingMs: null })).toBe('');
    expect(progressWords({ ...reading, readBytes: 300e6, remainingMs: 0 })).toBe(
      'saving the steps',
    );
  });

  it('says where nothing was new', () => {
    expect(summarizeImport(state([source({ alreadyImported: true })])).nothingNew).toBe(true);
    expect(summarizeImport(state([])).nothingNew).toBe(false);
  });
});
