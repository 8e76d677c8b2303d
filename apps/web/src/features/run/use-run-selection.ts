import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RunSearch } from '../../state/run-search.ts';
import type { RunModel } from './use-run-model.ts';

const SETTLE_MS = 150;

export interface RunSelection {
  readonly selected: number | null;
  readonly select: (index: number) => void;
  readonly search: RunSearch;
  /** Puts changes into the address: at once, or (`settle`) when they have come to rest. */
  /** Writes what is still settling: before leaving, so that Back finds the step. */
  readonly flush: () => void;
  readonly write: (changes: Partial<RunSearch>, settle?: 'settle') => void;
}

/**
 * The selected step. It moves at once; the address follows when it has come to rest, so that holding
 * J down does not write history. A changed address (back, a link) moves the selection.
 */
export function useRunSelection(model: RunModel | undefined): RunSelection {
  const search = useSearch({ from: '/runs/$runId' });
  const navigate = useNavigate({ from: '/runs/$runId' });
  const router = useRouter();
  const [step, setStep] = useState(search.step);
  const pending = useRef<Partial<RunSearch>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(search.step);

  const flush = useCallback(() => {
    clearTimeout(timer.current);
    const changes = pending.current;
    pending.current = {};
    if (Object.keys(changes).length === 0) return;
    // The person may be on the way to another screen, which must not be called back.
    const { pathname } = router.latestLocation;
    if (model !== undefined && pathname !== `/runs/${model.runId}`) return;
    if ('step' in changes) written.current = changes.step;
    void navigate({ search: (before) => withoutEmpty({ ...before, ...changes }), replace: true });
  }, [navigate, router, model]);
  const write = useCallback(
    (changes: Partial<RunSearch>, settle?: 'settle') => {
      pending.current = { ...pending.current, ...changes };
      clearTimeout(timer.current);
      if (settle === undefined) flush();
      else timer.current = setTimeout(flush, SETTLE_MS);
    },
    [flush],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (search.step === written.current) return;
    written.current = search.step;
    setStep(search.step);
  }, [search.step]);

  const select = useCallback(
    (index: number) => {
      const id = model?.skeleton.ids[index];
      if (id === undefined) return;
      setStep(id);
      write({ step: id }, 'settle');
    },
    [model, write],
  );
  return { selected: indexOfStep(model, step), select, search, flush, write };
}

/** A step by its id; a bare number is a step's number, as people write it. */
function indexOfStep(
  model: RunModel | undefined,
  stepOrSeq: string | number | undefined,
): number | null {
  if (model === undefined || model.skeleton.count === 0) return null;
  if (stepOrSeq === undefined) return 0;
  const step = String(stepOrSeq);
  const byId = model.indexOf(step);
  if (byId !== undefined) return byId;
  const seq = /^\d{1,9}$/.test(step) ? Number(step) : 0;
  return seq >= 1 && seq <= model.skeleton.count ? seq - 1 : 0;
}

function withoutEmpty(search: RunSearch): RunSearch {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  // Only entries were left out.
  return Object.fromEntries(kept) as RunSearch;
}
