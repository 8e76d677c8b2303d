import type { ImportInput, ImportResult } from './importer.ts';
import { JsonRpcSessions } from './json-rpc-session.ts';
import { LogCopies } from './log-copies.ts';
import type { LogDialect } from './log-dialect.ts';
import { EntryPlaces } from './log-entries.ts';
import { LogFile } from './log-file.ts';
import { readLines } from './read-lines.ts';
import { IssueList } from './record-ledger.ts';
import { type RunSource, sourcesInOrder } from './run-sources.ts';
import { refuseUtf16 } from './unreadable-source.ts';
import { runOfFrames } from './wire-run.ts';

/** Reads a whole log: entries to frames and notes, and what the server wrote in between. */
export async function readLogFile(input: ImportInput, dialect: LogDialect): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const { main, signal, onProgress } = input;
  const issues = new IssueList();
  const ordered = inOrderOfBeginning(sourcesInOrder(input));
  const places = new EntryPlaces();
  await places.fill(ordered, dialect, signal);
  const [first] = ordered;
  const sessions = new JsonRpcSessions(
    first?.reader.sha256 ?? main.sha256,
    issues,
    first?.part ?? null,
  );
  const shared = { issues, sessions, places, logs: new LogCopies(ordered.length > 1) };
  const logs: LogFile[] = [];
  let readBefore = 0;
  for (const source of ordered) {
    const { reader, part } = source;
    if (logs.length > 0) sessions.beginSource(reader.sha256, part);
    shared.logs.beginSource();
    const log = new LogFile(source, dialect, shared);
    logs.push(log);
    for await (const line of readLines(reader, signal)) {
      log.addLine(line);
      const readBytes = readBefore + line.offset + line.length;
      onProgress?.({ readBytes, records: log.ledger.total, steps: sessions.steps.length });
    }
    log.endBlock();
    readBefore += reader.sizeBytes;
  }
  const sawTime = logs.some((log) => log.sawTime);
  const run = runOfFrames(
    sessions,
    first?.reader.name ?? main.name,
    sawTime ? dialect.clock : 'none',
  );
  for (const step of run?.steps ?? []) {
    step.evidence = dialect.evidence;
    step.time.evidence = dialect.evidence;
  }
  return {
    runs: run === null ? [] : [{ ...run, client: dialect.client }],
    sources: logs.map((log) => log.account()),
    issues: issues.list(),
  };
}

/** An answer stands behind its request, of which a log that was begun anew may hold none. */
function inOrderOfBeginning(sources: readonly RunSource[]): RunSource[] {
  const begin = ({ group }: RunSource): number => group?.beganAtMs ?? Number.POSITIVE_INFINITY;
  return [...sources].sort((a, b) => (begin(a) === begin(b) ? 0 : begin(a) - begin(b)));
}
