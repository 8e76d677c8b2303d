// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeServer, RUN_ID } from './fake-server.ts';

// This DOM has no layout; the window of rows needs a height to be a window of something.
for (const [name, px] of [
  ['clientHeight', 600],
  ['clientWidth', 900],
] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => px });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function openRun(search = '', options: Parameters<typeof fakeServer>[0] = {}) {
  const server = fakeServer(options);
  window.history.replaceState(null, '', `/runs/${RUN_ID}${search}`);
  const { createQueryClient } = await import('../../src/api/query-client.ts');
  const { createAppRouter } = await import('../../src/router.tsx');
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createAppRouter()} />
    </QueryClientProvider>,
  );
  await screen.findByRole('treegrid', { name: 'Call tree' }, { timeout: 10_000 });
  await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(1));
  return server;
}

/** The one row with the tab stop. */
function current(): HTMLElement {
  const stops = screen.getAllByRole('row').filter((row) => row.tabIndex === 0);
  expect(stops).toHaveLength(1);
  return stops[0] ?? document.body;
}

function press(key: string, shiftKey = false) {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, shiftKey });
}

function seq(): string {
  return /^\d+/.exec(current().getAttribute('aria-label') ?? '')?.[0] ?? '';
}

describe('the call tree by keyboard', () => {
  it('moves, folds and opens, and the panel follows', async () => {
    await openRun();
    expect(seq()).toBe('1');
    press('j');
    press('j');
    expect(seq()).toBe('3');
    await screen.findByRole('region', { name: 'Step 3' });
    press('h');
    expect(seq()).toBe('1');
    expect(current().getAttribute('aria-expanded')).toBe('true');
    press('h');
    expect(current().getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByRole('row', { name: /^3 find_parcel/ })).toBeNull();
    expect(screen.getByText('3 steps folded away')).toBeTruthy();
    press('l');
    press('J', true);
    expect(seq()).toBe('5');
    press('k');
    expect(seq()).toBe('4');
  });

  it('finds the next error and the same tool', async () => {
    await openRun();
    press('e');
    expect(seq()).toBe('4');
    press('S', true);
    expect(seq()).toBe('3');
  });

  it('tells a reader where each row stands', async () => {
    await openRun();
    const row = screen.getByRole('row', { name: /^3 find_parcel, depot/ });
    expect(row.getAttribute('aria-level')).toBe('2');
    expect(row.getAttribute('aria-posinset')).toBe('2');
    expect(row.getAttribute('aria-setsize')).toBe('3');
    expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('6');
  });

  it('filters rows as it is typed and keeps the last rows on a mistake', async () => {
    await openRun();
    const box = screen.getByRole('textbox', { name: 'Find in run' });
    fireEvent.change(box, { target: { value: 'error:yes' } });
    expect(screen.getByText('1 match')).toBeTruthy();
    expect(screen.queryByRole('row', { name: /^3 / })).toBeNull();
    fireEvent.change(box, { target: { value: 'eror:yes' } });
    expect(screen.getByText('no field "eror"')).toBeTruthy();
    expect(screen.queryByRole('row', { name: /^3 / })).toBeNull();
    fireEvent.keyDown(box, { key: 'Tab' });
    expect(box).toHaveProperty('value', 'error:yes');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(screen.getByText('1 of 1')).toBeTruthy();
  });

  it('restores step, view and filter from a link', async () => {
    await openRun('?step=s4&view=order&filter=depot');
    expect(seq()).toBe('4');
    expect(screen.getByRole('button', { name: 'Order' }).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByText('2 of 2')).toBeTruthy();
  });

  it('shows recorded markup as text', async () => {
    await openRun();
    expect(document.querySelector('img')).toBeNull();
    expect(screen.getByText(/<img src=x/)).toBeTruthy();
  });
});

describe('the mark', () => {
  it('is made with M, a cited value and Enter', async () => {
    const server = await openRun('?step=s3');
    await screen.findByText('9007199254740993');
    press('m');
    const kind = screen.getByRole('combobox', { name: 'Kind' });
    expect(document.activeElement).toBe(kind);
    fireEvent.change(kind, { target: { value: 'Loose argument' } });
    fireEvent.click(screen.getByRole('button', { name: 'Cite arguments /code' }));
    const because = screen.getByRole('textbox', { name: 'Because' });
    fireEvent.change(because, { target: { value: 'No such code.' } });
    fireEvent.keyDown(because, { key: 'Enter' });
    await waitFor(() => expect(server.sent).toHaveLength(1));
    expect(server.sent[0]?.body).toEqual({
      place: { kind: 'step', stepId: 's3' },
      category: 'Loose argument',
      reason: 'No such code.',
      citations: [{ stepId: 's3', part: 'arguments', pointer: '/code' }],
    });
    const block = await screen.findByRole('region', { name: 'The mark' });
    expect(within(block).getByText('/code')).toBeTruthy();
    expect(within(block).queryByText(/Lacks/)).toBeNull();
  });

  it('says what it lacks when it is made with Enter alone', async () => {
    await openRun('?step=s3');
    press('m');
    const form = screen.getByRole('form', { name: 'Mark' });
    fireEvent.submit(form);
    await screen.findByText('Lacks a kind, a cited value and a reason.');
  });

  it('marks the gap before a step', async () => {
    const server = await openRun('?step=s3');
    press('m');
    fireEvent.click(screen.getByRole('button', { name: 'on the gap before it' }));
    fireEvent.submit(screen.getByRole('form', { name: 'Mark' }));
    await waitFor(() => expect(server.sent).toHaveLength(1));
    expect(server.sent[0]?.body).toMatchObject({ place: { kind: 'gap', afterStepId: 's2' } });
  });

  it('is taken back where the server refuses it, and the form stays', async () => {
    await openRun('?step=s3', { refuseMarks: true });
    press('m');
    fireEvent.submit(screen.getByRole('form', { name: 'Mark' }));
    await screen.findByText(/The disk is full/);
    expect(screen.getByRole('combobox', { name: 'Kind' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'The mark' })).toBeNull();
  });

  it('sends nothing by opening or leaving the form', async () => {
    const server = await openRun('?step=s3');
    press('m');
    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Kind' }), { key: 'Escape' });
    expect(screen.queryByRole('form', { name: 'Mark' })).toBeNull();
    expect(server.sent).toEqual([]);
  });
});

describe('the records', () => {
  it('are told by the four counts, by reason, and each by its bytes', async () => {
    await openRun();
    const told = await screen.findByRole('button', { name: '2 of 5 records set aside' });
    expect(told.title).toBe('5 records: 3 understood, 2 set aside, 0 not understood, 0 malformed');
    fireEvent.click(told);
    const panel = screen.getByRole('complementary', { name: 'Records' });
    await within(panel).findByText('{"r": 10}');
    expect(panel.textContent).toContain('2 of 2 records');
    fireEvent.click(within(panel).getByRole('button', { name: /a snapshot of files/ }));
    await within(panel).findByText('1 of 1 record');
    expect(within(panel).queryByText('{"r": 10}')).toBeNull();
    expect(within(panel).getByText('{"r": 0}')).toBeDefined();
    fireEvent.click(within(panel).getByRole('button', { name: 'Malformed' }));
    await within(panel).findByText('There are no such records.');
    fireEvent.click(within(panel).getByRole('button', { name: 'Back to the step' }));
    expect(screen.queryByRole('complementary', { name: 'Records' })).toBeNull();
  });
});

describe('the recording audit', () => {
  it('counts in the header and lists the questions in place of the step', async () => {
    await openRun();
    const name = '4 of 7 questions answerable, 2 partly, 1 not at all';
    const meter = await screen.findByRole('button', { name });
    const looks = [...meter.querySelectorAll('[data-answer]')].map((segment) => ({
      answer: segment.getAttribute('data-answer'),
      filled: segment.querySelector('[fill="currentColor"]')?.getAttribute('width') ?? '0',
      dashed: segment.querySelector('[stroke-dasharray]') !== null,
    }));
    expect(looks).toHaveLength(7);
    expect(looks[0]).toEqual({ answer: 'answered', filled: '12', dashed: false });
    expect(looks[4]).toEqual({ answer: 'partly', filled: '6', dashed: false });
    expect(looks[6]).toEqual({ answer: 'no', filled: '0', dashed: true });

    expect(meter.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(meter);
    expect(meter.getAttribute('aria-expanded')).toBe('true');
    const list = screen.getByRole('complementary', { name: 'Recording audit' });
    expect(within(list).getAllByRole('heading', { level: 3 })).toHaveLength(7);
    expect(within(list).getAllByText('answerable')).toHaveLength(4);
    expect(within(list).getAllByText('partly')).toHaveLength(2);
    expect(within(list).getAllByText('not at all')).toHaveLength(1);
    expect(within(list).getAllByText('step.time')).toHaveLength(3);
    expect(within(list).getByText('2 calls: what question 7 asks of all.')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Step 1' })).toBeNull();

    press('Escape');
    expect(screen.queryByRole('complementary', { name: 'Recording audit' })).toBeNull();
    await screen.findByRole('region', { name: 'Step 1' });
  });

  it('says that it failed, and why', async () => {
    await openRun('', { refuseAudit: true });
    // The client asks once more before it gives up.
    const meter = await screen.findByRole('button', { name: /audit failed/ }, { timeout: 10_000 });
    fireEvent.click(meter);
    const list = screen.getByRole('complementary', { name: 'Recording audit' });
    await within(list).findByText("The audit can't be shown", {}, { timeout: 10_000 });
    expect(within(list).queryAllByRole('heading', { level: 3 })).toHaveLength(0);
  });
});
