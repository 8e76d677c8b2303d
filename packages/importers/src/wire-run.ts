import type { RunClock } from '@misstep/model';
import type { RunDraft } from './importer.ts';
import type { JsonRpcSessions } from './json-rpc-session.ts';
import { orderSteps } from './order-steps.ts';
import { counted } from './record-ledger.ts';

/** The one run of a wire recording; null where it holds neither steps nor frames. */
export function runOfFrames(
  sessions: JsonRpcSessions,
  sourceName: string,
  clock: RunClock,
): RunDraft | null {
  const tools = sessions.finish();
  if (sessions.steps.length === 0 && sessions.frames.length === 0) return null;
  const steps = orderSteps(sessions.streams());
  const servers = new Set(steps.flatMap((step) => step.server ?? []));
  const calls = steps.filter((step) => step.kind === 'tool').length;
  const about = servers.size === 0 ? sourceName : [...servers].slice(0, 3).join(', ');
  return {
    key: '0',
    title: `${about}: ${counted(calls, 'tool call')}`.slice(0, 200),
    client: null,
    model: null,
    naturalId: null,
    clock,
    steps,
    frames: sessions.frames,
    tools,
  };
}
