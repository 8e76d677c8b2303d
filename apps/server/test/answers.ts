import { type ImportState, type RunSummary, routes } from '@misstep/contract';
import { expect } from 'vitest';
import { call, smallRecording, type TestApp, until } from './support.ts';

export const ABSENT_RUN = `r${'a'.repeat(20)}`;
export const ABSENT_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const ABSENT_HASH = 'f'.repeat(64);

/** The answer's body, whose form `call` has checked already. */
export function body<T>(sent: { json: unknown }): T {
  return sent.json as T;
}

export function errorOf(sent: { status: number; json: unknown }) {
  const { error } = body<{ error: { code: string; message: string; hint: string } }>(sent);
  expect(error.message).not.toBe('');
  expect(error.hint).not.toBe('');
  return [sent.status, error.code];
}

export async function importText(app: TestApp['app'], text: string, name = 'rec.jsonl') {
  const started = await call(app, routes.createImport, { body: { name, text } });
  expect(started.status).toBe(200);
  const { id } = body<ImportState>(started);
  return until(async () => {
    const state = body<ImportState>(
      await call(app, routes.getImport, { params: { importId: id } }),
    );
    return state.state === 'reading' || state.state === 'receiving' ? null : state;
  });
}

export async function importedRun(app: TestApp['app']): Promise<RunSummary> {
  const state = await importText(app, smallRecording());
  expect(state).toMatchObject({ state: 'done', format: 'json-rpc-lines', error: null });
  const { runs } = body<{ runs: RunSummary[] }>(await call(app, routes.listRuns));
  expect(runs).toHaveLength(1);
  const [run] = runs;
  if (run === undefined) throw new Error('no run');
  return run;
}
