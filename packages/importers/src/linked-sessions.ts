import type { SourceHash, Step } from '@misstep/model';
import type { RunDraft } from './importer.ts';
import { orderSteps } from './order-steps.ts';
import type { IssueList } from './record-ledger.ts';
import { draftOf, RunWriter } from './run-writer.ts';
import { idNumberOf } from './step-ids.ts';

export interface SessionFacts {
  readonly id: string;
  readonly parentId: string | null;
  readonly title: string | null;
  readonly client: string;
  /** The call that started this session, where the session itself names it. */
  readonly startedBy?: string | null;
}

/** A session of a database that holds several, and the steps of its messages. */
export class Session {
  readonly facts: SessionFacts;
  readonly writer: RunWriter;
  /** Calls that started sessions of sub-agents, by the id of that session. */
  readonly tasks = new Map<string, Step>();

  constructor(facts: SessionFacts, source: { readonly sha256: SourceHash }, issues: IssueList) {
    this.facts = facts;
    const part = facts.parentId === null ? null : facts.id;
    this.writer = new RunWriter(source, issues, 'logged', part);
  }
}

/**
 * The runs of the sessions: those of sub-agents stand below the call that started them, or, where
 * no call names them, below a step of their own in their parent's session.
 */
export function runsOfSessions(
  sessions: ReadonlyMap<string, Session>,
  sourceName: string,
): RunDraft[] {
  const families = new Map<string, Session[]>();
  for (const session of sessions.values()) {
    const { id } = topOf(session, sessions).facts;
    families.set(id, [...(families.get(id) ?? []), session]);
  }
  const runs: RunDraft[] = [];
  for (const [id, family] of families) {
    const top = sessions.get(id);
    if (top === undefined) continue;
    for (const session of family) if (session !== top) hang(session, sessions);
    const streams = [top, ...family.filter((each) => each !== top)].map(
      ({ writer }) => writer.steps,
    );
    const draft = draftOf(orderSteps(streams), {
      key: id,
      title: top.facts.title,
      client: top.facts.client,
      model: top.writer.model ?? family.find(({ writer }) => writer.model)?.writer.model ?? null,
      naturalId: id,
      clock: family.find(({ writer }) => writer.clock)?.writer.clock ?? null,
      sourceName,
    });
    if (draft !== null) runs.push(draft);
  }
  return runs;
}

/** The session that it all began with. Parents that go round in a circle, or are gone, end the way. */
function topOf(session: Session, sessions: ReadonlyMap<string, Session>): Session {
  const seen = new Set<Session>();
  let at = session;
  for (;;) {
    seen.add(at);
    const parent = sessions.get(at.facts.parentId ?? '');
    if (parent === undefined) return at;
    if (seen.has(parent)) return session;
    at = parent;
  }
}

function hang(session: Session, sessions: ReadonlyMap<string, Session>): void {
  const { id, parentId, title, startedBy = null } = session.facts;
  const first = session.writer.steps[0];
  const parent = sessions.get(parentId ?? '');
  if (first === undefined || parent === undefined) return;
  parent.writer.idOffset = idNumberOf(id);
  const call = parent.tasks.get(id) ?? parent.writer.lastCall(startedBy ?? id);
  const above =
    call ??
    parent.writer.step(first.origin, null, {
      kind: 'agent',
      name: title ?? 'Sub-agent',
      callId: id,
      summary: 'a session of its own; the call that started it is not recorded',
    });
  for (const step of session.writer.steps) step.parentId ??= above.id;
}
