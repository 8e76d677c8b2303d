// @vitest-environment happy-dom
import { cleanup, fireEvent, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RUNS } from './example-runs.ts';

// The client takes the page's fetch when its module is read, so the app is imported after this.
let app: typeof import('../shell/app.tsx');
beforeAll(async () => {
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => app.fakeFetch(...args));
  app = await import('../shell/app.tsx');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const LIST = { 'GET /api/runs': { total: RUNS.length, runs: RUNS } };
const key = (name: string) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name });

async function showList(address = '/runs', table = {}) {
  const view = app.showApp(address, { ...LIST, ...table });
  const grid = await view.findByRole('grid', { name: 'Runs' });
  const titles = () =>
    within(grid)
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getByRole('link').textContent);
  const current = () => grid.querySelector('[aria-current="true"]')?.getAttribute('aria-rowindex');
  return { ...view, grid, titles, current };
}

describe('the run list', () => {
  it('is a named grid, newest first, with what is not recorded as a dash', async () => {
    const { grid, titles } = await showList();
    expect(grid.getAttribute('aria-rowcount')).toBe('4');
    expect(titles()).toEqual(['Aging report', 'Orders of the seed shop', 'Currency check']);
    const pasted = within(grid).getAllByRole('row')[3];
    expect(pasted?.textContent).toContain('no time');
    expect(pasted?.textContent).toContain('unmarked');
    expect(pasted?.querySelectorAll('[title*="recorded"]').length).toBeGreaterThanOrEqual(3);
  });

  it('moves by J and K, selects by X, opens by Enter, and keeps the cursor in the address', async () => {
    const view = await showList();
    expect(view.current()).toBe('2');
    key('j');
    key('j');
    key('j');
    expect(view.current()).toBe('4');
    key('k');
    expect(view.current()).toBe('3');
    key('x');
    expect(within(view.grid).getAllByRole('row', { selected: true })).toHaveLength(1);
    await waitFor(() => expect(view.history.location.search).toContain(RUNS[0]?.id));
    key('Enter');
    await waitFor(() => expect(view.history.location.pathname).toBe(`/runs/${RUNS[0]?.id}`));
  });

  it('restores filter, sort and cursor from the address', async () => {
    const view = await showList(`/runs?q=marked%3Aby%3Amira&sort=title&at=${RUNS[0]?.id}`);
    expect(view.titles()).toEqual(['Aging report', 'Orders of the seed shop']);
    expect(view.current()).toBe('3');
    expect(view.getByRole('textbox', { name: 'Filter runs' })).toHaveProperty(
      'value',
      'marked:by:mira',
    );
    expect(view.getByRole('columnheader', { name: /Title/ }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
  });

  it('filters as typed, says what it does not know, and takes the correction by Tab', async () => {
    const view = await showList();
    const input = view.getByRole('textbox', { name: 'Filter runs' });
    input.focus();
    fireEvent.change(input, { target: { value: 'evidence:wire' } });
    expect(view.titles()).toEqual(['Orders of the seed shop']);
    expect(view.getByText('1 of 3 runs')).toBeTruthy();
    fireEvent.change(input, { target: { value: 'evidence:wire eror:yes' } });
    expect(view.getByText('no field “eror”')).toBeTruthy();
    expect(view.titles()).toEqual(['Orders of the seed shop']);
    fireEvent.keyDown(input, { key: 'Tab' });
    expect(input).toHaveProperty('value', 'evidence:wire error:yes ');
    fireEvent.keyDown(input, { key: 'Escape' });
    expect(view.titles()).toHaveLength(3);
  });

  it('shows how to widen a filter that leaves nothing', async () => {
    const view = await showList();
    fireEvent.change(view.getByRole('textbox', { name: 'Filter runs' }), {
      target: { value: 'error:yes evidence:logged' },
    });
    fireEvent.click(view.getByRole('button', { name: /without evidence:logged 1 run/ }));
    expect((await view.findAllByRole('link', { name: 'Orders of the seed shop' })).length).toBe(1);
  });

  it('says what this is for where there is no run', async () => {
    const view = app.showApp('/runs', { 'GET /api/runs': { total: 0, runs: [] } });
    expect(await view.findByText('Triage a report')).toBeTruthy();
    expect(view.queryByRole('grid')).toBeNull();
  });

  it('says that the server is gone in place, and asks again on request', async () => {
    const view = app.showApp('/runs', { 'GET /api/runs': new TypeError('Failed to fetch') });
    expect(await view.findByText('Misstep does not answer.')).toBeTruthy();
    const before = app.asked.length;
    fireEvent.click(view.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(app.asked.length).toBe(before + 1));
  });

  it('imports pasted text once, unless it was pasted into a field', async () => {
    const view = await showList();
    const paste = (target: Element) => {
      const event = new Event('paste', { bubbles: true, cancelable: true });
      Object.assign(event, { clipboardData: { files: [], getData: () => 'user: hello' } });
      target.dispatchEvent(event);
    };
    paste(view.getByRole('textbox', { name: 'Filter runs' }));
    paste(document.body);
    await waitFor(() =>
      expect(app.asked.filter(({ call }) => call === 'POST /api/imports')).toEqual([
        {
          call: 'POST /api/imports',
          body: { name: 'Pasted text', format: null, text: 'user: hello' },
        },
      ]),
    );
  });
});

describe('a page without a token', () => {
  it('says how to reopen it instead of the app', async () => {
    const { useSession } = await import('../../src/state/session.ts');
    const view = app.showApp('/runs', {
      'GET /api/runs': Response.json(
        { error: { code: 'TOKEN_MISSING', message: 'No token.', hint: '', details: {} } },
        { status: 401 },
      ),
    });
    expect(await view.findByRole('heading', { name: /may not talk to Misstep/ })).toBeTruthy();
    expect(view.queryByRole('navigation')).toBeNull();
    useSession.setState({ accessLost: false });
  });
});

describe('the bare address', () => {
  it('leads to the sample run once, then to the list', async () => {
    const runId = RUNS[2]?.id;
    const table = {
      ...LIST,
      'GET /api/status': {
        version: '0.1.0',
        dataFolder: '~/.misstep',
        runCount: 3,
        sourceBytes: 1234,
        author: 'mira',
        demoRunId: runId,
      },
    };
    const first = app.showApp('/', table);
    await waitFor(() => expect(first.history.location.pathname).toBe(`/runs/${runId}`));
    cleanup();
    const second = app.showApp('/', table);
    await waitFor(() => expect(second.history.location.pathname).toBe('/runs'));
  });
});
