import { routes, type StepDetail, type TargetView } from '@misstep/contract';
import type { JsonChange } from '@misstep/json';
import type { Replay } from '@misstep/model';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { refreshLists } from './use-replay.ts';

const POLL_MS = 200;

/** One call of a plan, and what came of it. */
export interface SplitCall {
  readonly change: JsonChange;
  readonly argumentsText: string;
  readonly state: 'planned' | 'sending' | 'done' | 'refused' | 'not known' | 'not sent';
  readonly replay: Replay | null;
  /** Why it was refused; null otherwise. */
  readonly refusal: string | null;
}

export interface SplitRun {
  readonly state: 'none' | 'planned' | 'sending' | 'over';
  readonly calls: readonly SplitCall[];
  plan(drafts: readonly { change: JsonChange; argumentsText: string }[]): void;
  /** Sends the whole plan, one call after the other. Called by its button and by nothing else. */
  send(confirmTool: string | null, sendsLeftOut?: boolean): void;
  stop(): void;
  close(): void;
}

/** Single-change replays of one draft. Each goes the way of every send, with a key of its own. */
export function useSplit(step: StepDetail, target: TargetView | null): SplitRun {
  const client = useQueryClient();
  const [state, setState] = useState<SplitRun['state']>('none');
  const [calls, setCalls] = useState<readonly SplitCall[]>([]);
  const stopping = useRef<AbortController>(null);
  const change = (at: number, to: Partial<SplitCall>) =>
    setCalls((before) => before.map((call, index) => (index === at ? { ...call, ...to } : call)));

  // Whoever leaves the screen has stopped the plan: nothing goes on by itself.
  useEffect(() => () => stopping.current?.abort(), []);

  const send = async (confirmTool: string | null, sendsLeftOut: boolean) => {
    if (target === null || state !== 'planned' || stopping.current !== null) return;
    const controller = new AbortController();
    stopping.current = controller;
    setState('sending');
    const params = { runId: step.runId, stepId: step.id };
    for (const [at, { argumentsText }] of calls.entries()) {
      if (controller.signal.aborted) {
        change(at, { state: 'not sent' });
        continue;
      }
      change(at, { state: 'sending' });
      let replay: Replay | null = null;
      try {
        const body = {
          targetName: target.name,
          argumentsText,
          confirmTool,
          ...(sendsLeftOut ? { sendsLeftOut } : {}),
          // Nobody watches one call of a plan: what the server asks gets its default at once.
          askWaitMs: 0,
          idempotencyKey: crypto.randomUUID(),
        };
        replay = await api(routes.startReplay, { params, body });
        while (replay.state !== 'done') {
          const replayId: Replay['id'] = replay.id;
          if (controller.signal.aborted) {
            replay = await api(routes.cancelReplay, { params: { replayId } });
            break;
          }
          await pause(POLL_MS, controller.signal);
          replay = await api(routes.getReplay, { params: { replayId } });
        }
        change(at, { state: 'done', replay });
      } catch (error) {
        // What is refused once would be refused again, and a lost server answers nothing more.
        const { message } = problemOf(error);
        change(at, { state: replay === null ? 'refused' : 'not known', replay, refusal: message });
        controller.abort();
      }
      void refreshLists(client, step.runId);
    }
    stopping.current = null;
    setState('over');
  };

  return {
    state,
    calls,
    plan(drafts) {
      if (state === 'sending') return;
      setCalls(drafts.map((each) => ({ ...each, state: 'planned', replay: null, refusal: null })));
      setState('planned');
    },
    send: (confirmTool, sendsLeftOut = false) => void send(confirmTool, sendsLeftOut),
    stop: () => stopping.current?.abort(),
    close() {
      if (state !== 'sending') setState('none');
    },
  };
}

/** A while, or until the signal ends it. */
function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
  });
}
