import { Decompress } from 'fzstd';
import type { Importer, ImportInput, ImportResult, RunDraft, SourceHead } from '../importer.ts';
import type { JsonPlace } from '../json-place.ts';
import { orderSteps } from '../order-steps.ts';
import { counted, SetAside } from '../record-ledger.ts';
import { draftOf, RunWriter } from '../run-writer.ts';
import type { TableRow } from '../sqlite/database.ts';
import {
  jsonOf,
  originOfPlace,
  originOfRow,
  placeOfBytes,
  rowsOf,
  setAsideOtherTables,
  tablesInHead,
} from '../sqlite/database-source.ts';
import { type DatabaseSource, openDatabase } from '../sqlite/open-database.ts';
import { refuseUtf16 } from '../unreadable-source.ts';
import { addThreadMessage, usagesOf } from './zed-threads/thread-message.ts';

/** Threads of Zed's agent panel: `threads.db`, a thread a row, as JSON or as zstd of it. */
export const zedThreads: Importer = {
  id: 'zed-threads',
  title: 'Zed threads',
  evidence: 'logged',
  revision: 4,
  sniff,
  read,
};

const NO_MESSAGES = new SetAside('a thread without messages');
const MAX_THREAD_BYTES = 256 * 1024 * 1024;

function sniff(head: SourceHead): number {
  const columns = tablesInHead(head).get('threads') ?? '';
  return /\bdata_type\b/.test(columns) && /\bdata\b/.test(columns) ? 0.97 : 0;
}

async function read(input: ImportInput): Promise<ImportResult> {
  const refused = await refuseUtf16(input);
  if (refused !== null) return refused;
  const source = await openDatabase(input);
  const runs: RunDraft[] = [];
  for await (const row of rowsOf(source, 'threads')) {
    const run = await readThread(input, source, row);
    if (run !== null) runs.push(run);
  }
  await setAsideOtherTables(source, ['threads']);
  return { runs, sources: source.ledger.accounts(), issues: source.issues.list() };
}

async function readThread(
  { main }: ImportInput,
  source: DatabaseSource,
  row: TableRow,
): Promise<RunDraft | null> {
  const { ledger, issues } = source;
  const thread = await threadOf(source, row);
  if (thread === null) {
    ledger.malformed(row.span, 'a thread that is no JSON');
    return null;
  }
  const writer = new RunWriter(main, issues, 'logged');
  writer.model = thread.get('model').get('model').text();
  const record = originOfPlace(row, thread);
  const usageOf = usagesOf(thread);
  for (const [index, message] of thread.get('messages').items().entries()) {
    writer.idOffset = index;
    addThreadMessage(writer, record, message, usageOf);
  }
  ledger.take(row.span, writer.steps.length > 0 ? null : NO_MESSAGES);
  const id = await row.text('id');
  return draftOf(orderSteps([writer.steps]), {
    key: id ?? String(row.rowid),
    title:
      (await row.text('summary')) ?? thread.get('title').text() ?? thread.get('summary').text(),
    client: 'Zed',
    model: writer.model,
    naturalId: id,
    clock: writer.clock,
    sourceName: main.name,
  });
}

async function threadOf(source: DatabaseSource, row: TableRow): Promise<JsonPlace | null> {
  if ((await row.text('data_type')) !== 'zstd') return jsonOf(source, row, 'data');
  const value = await row.value('data');
  const bytes = value?.kind === 'blob' ? unpack(value.bytes) : null;
  if (bytes !== null) return placeOfBytes(originOfRow(row), bytes, []);
  source.issues.count(
    'THREAD_NOT_UNPACKED',
    (count) => `${counted(count, 'thread')} not unpacked: damaged, or larger than 256 MiB.`,
    row.span.sha256,
    row.span.offset,
  );
  return null;
}

/** Null where it is no zstd, or more than the bound. */
function unpack(packed: Uint8Array): Uint8Array | null {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  try {
    const stream = new Decompress((chunk, isLast) => {
      size += chunk.length;
      if (size > MAX_THREAD_BYTES) throw new RangeError('too large');
      chunks.push(chunk.slice());
      isWhole = isLast === true;
    });
    // In pieces, so that a bomb is met before it is unpacked as a whole.
    for (let at = 0; at < packed.length; at += 65_536) {
      stream.push(packed.subarray(at, at + 65_536), at + 65_536 >= packed.length);
    }
  } catch {
    return null;
  }
  if (!isWhole) return null;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
