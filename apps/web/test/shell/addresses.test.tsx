// @vitest-environment happy-dom
import { cleanup, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

// The client takes the page's fetch when its module is read, so the app is imported after this.
let app: typeof import('./app.tsx');
beforeAll(async () => {
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => app.fakeFetch(...args));
  app = await import('./app.tsx');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const refused = (code: string) =>
  Response.json(
    { error: { code, message: 'path.id: expected an id', hint: 'docs/api.md', details: {} } },
    { status: 400 },
  );
const LIST = { 'GET /api/runs': { total: 0, runs: [] } };

describe('an address of something that is not there', () => {
  it.each([
    ['/runs/nope', 'GET /api/runs/nope', 'There is no run “nope” here.', 'All runs', '/runs'],
    [
      '/comparisons/nope',
      'GET /api/experiments/nope',
      'There is no comparison “nope” here.',
      'All comparisons',
      '/comparisons',
    ],
    [
      '/replays/nope',
      'GET /api/replays/nope',
      'There is no replay “nope” here.',
      'All replays',
      '/replays',
    ],
    ['/imports/nope', 'GET /none', 'There is no import “nope” here.', 'All runs', '/runs'],
  ])('%s is said in a sentence, with a way back', async (address, call, sentence, words, to) => {
    const view = app.showApp(address, { ...LIST, [call]: refused('REQUEST_INVALID') });
    expect(await view.findByText(sentence, {}, { timeout: 10_000 })).toBeTruthy();
    expect(view.getByRole('link', { name: words }).getAttribute('href')).toBe(to);
    expect(view.queryByText(/path\.id|docs\/api/)).toBeNull();
  });

  it('says of a page that nothing is there', async () => {
    const view = app.showApp('/no/such/page', LIST);
    expect(await view.findByText('Misstep has no page of this name.')).toBeTruthy();
    expect(view.getByRole('link', { name: 'All runs' })).toBeTruthy();
  });

  it('leads from the id of an import to its sources in the list', async () => {
    const state = {
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      name: 'first.jsonl',
      state: 'reading',
      phase: 'reading',
      format: null,
      fileCount: 1,
      receivedFiles: 1,
      recognisedFiles: 1,
      sizeBytes: 3_000_000,
      readBytes: 1_000_000,
      records: 5,
      steps: 4,
      startedAt: '2026-11-01T00:00:00Z',
      elapsedMs: 5,
      remainingMs: null,
      summary: {
        fates: { imported: 0, known: 0, setAside: 0, failed: 0 },
        runCount: 0,
        run: null,
        steps: 0,
        records: { total: 0, understood: 0, setAside: 0, notUnderstood: 0, malformed: 0 },
        remarkCount: 0,
        onlySource: null,
      },
      sources: [],
      sourcesOmitted: 0,
      error: null,
    };
    const view = app.showApp(`/imports/${state.id}`, {
      ...LIST,
      'GET /api/imports': { imports: [state] },
    });
    await waitFor(() => expect(view.history.location.pathname).toBe('/runs'));
    expect(view.history.location.search).toContain(state.id);
    // Where nothing is in the list yet, it says what is on its way, not that nothing was imported.
    expect(await view.findByRole('progressbar', { name: 'Importing the first runs' })).toBeTruthy();
    expect(view.queryByText(/No recording was imported/)).toBeNull();
  });
});
