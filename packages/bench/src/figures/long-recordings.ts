import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeFrameRecord, FRAME_LOG_MAGIC } from '@misstep/model';

const PROSE =
  'Der Lieferschein für die Werkstatt in Köln; parcel ledger, meadow and granite. '.repeat(4000);
const encoder = new TextEncoder();

/** Gives the records of a recording without end: a call and its result in turn, as bytes. */
type Records = (index: number) => Uint8Array;

/** Formats that are read in ways of their own, by what people call them. */
export const LONG_RECORDINGS: Readonly<
  Record<string, { head: readonly Uint8Array[]; of: Records }>
> = {
  'Claude Code session': { head: [], of: (index) => line(claudeRecord(index)) },
  'Codex rollout': {
    head: [
      line({ timestamp: timeOf(0), type: 'session_meta', payload: { id: uuid('s'), cwd: '/srv' } }),
    ],
    of: (index) => line(codexRecord(index)),
  },
  'OpenAI messages': {
    head: [line({ role: 'user', content: 'Where is the parcel?' })],
    of: (index) => line(openAiRecord(index)),
  },
  'Misstep frame log': { head: [encoder.encode(FRAME_LOG_MAGIC)], of: frameRecord },
  'OpenTelemetry trace (OTLP JSON lines)': { head: [], of: (index) => line(otlpRecord(index)) },
};

/** Writes so many bytes of a recording, or a little more. */
export async function writeLongRecording(
  path: string,
  title: string,
  sizeBytes: number,
): Promise<void> {
  const recording = LONG_RECORDINGS[title];
  if (recording === undefined) throw new Error(`there is no recording ${title}`);
  const stream = createWriteStream(path);
  let written = 0;
  const put = async (bytes: Uint8Array): Promise<void> => {
    written += bytes.length;
    if (!stream.write(bytes)) await new Promise<void>((done) => stream.once('drain', () => done()));
  };
  for (const bytes of recording.head) await put(bytes);
  for (let index = 0; written < sizeBytes; index += 1) await put(recording.of(index));
  await new Promise<void>((done) => stream.end(() => done()));
}

/** A session whose second record is one line of that size. */
export async function writeLongLine(path: string, sizeBytes: number): Promise<void> {
  const stream = createWriteStream(path);
  const of = (id: string, content: string) => ({
    ...claudeBase(id, null, 0),
    type: 'user',
    message: { role: 'user', content },
  });
  stream.write(line(of('a', 'Where is it?')));
  const content = PROSE.repeat(Math.ceil(sizeBytes / Buffer.byteLength(PROSE)));
  stream.write(line(of('b', content)));
  await new Promise<void>((done) => stream.end(() => done()));
}

/** A folder of so many short sessions, some hundred in each of its folders. */
export async function writeSmallFiles(folder: string, count: number): Promise<void> {
  for (let file = 0; file < count; file += 1) {
    const own = join(folder, String(Math.floor(file / 200)));
    if (file % 200 === 0) await mkdir(own, { recursive: true });
    const records = Array.from({ length: 6 }, (_, index) => line(smallRecord(file, index)));
    await writeFile(join(own, `${uuid(`small${file}`)}.jsonl`), Buffer.concat(records));
  }
}

function smallRecord(file: number, index: number): object {
  const of = (each: number): string => uuid(`small${file} ${each}`);
  const base = { ...claudeBase('', null, index), sessionId: uuid(`small${file}`), uuid: of(index) };
  const parentUuid = index === 0 ? null : of(index - 1);
  if (index === 0) {
    const message = { role: 'user', content: `Where is parcel ${file}?` };
    return { ...base, parentUuid, type: 'user', message };
  }
  const id = callId(file * 10 + index - (index % 2 === 0 ? 1 : 0));
  if (index % 2 === 0) {
    const block = { type: 'tool_result', tool_use_id: id, content: PROSE.slice(0, 600) };
    return { ...base, parentUuid, type: 'user', message: { role: 'user', content: [block] } };
  }
  const block = { type: 'tool_use', id, name: 'mcp__desk__find', input: { parcel: file } };
  const usage = { input_tokens: 900, output_tokens: 12 };
  const ids = { id: `msg_${of(index)}`, role: 'assistant', model: 'bench' };
  return { ...base, parentUuid, type: 'assistant', message: { ...ids, content: [block], usage } };
}

function claudeRecord(index: number): object {
  const base = claudeBase(`u${index}`, index === 0 ? null : `u${index - 1}`, index);
  if (index % 2 === 1) {
    const block = { type: 'tool_result', tool_use_id: callId(index - 1), content: result(index) };
    return { ...base, type: 'user', message: { role: 'user', content: [block] } };
  }
  const input = { query: PROSE.slice(0, 200) };
  const block = { type: 'tool_use', id: callId(index), name: 'mcp__desk__find', input };
  const message = {
    id: `msg_${hex(`m${index}`).slice(0, 24)}`,
    role: 'assistant',
    model: 'bench',
    content: [block],
    usage: { input_tokens: 900, output_tokens: 120 },
  };
  return { ...base, type: 'assistant', requestId: `req_${hex(`r${index}`)}`, message };
}

function claudeBase(id: string, parent: string | null, index: number): object {
  return {
    parentUuid: parent === null ? null : uuid(parent),
    isSidechain: false,
    sessionId: uuid('session'),
    version: '2.1.40',
    cwd: '/srv/desk',
    uuid: uuid(id),
    timestamp: timeOf(index),
  };
}

function codexRecord(index: number): object {
  const payload =
    index % 2 === 0
      ? {
          type: 'function_call',
          name: 'find',
          arguments: JSON.stringify({ query: PROSE.slice(0, 200) }),
          call_id: callId(index),
        }
      : { type: 'function_call_output', call_id: callId(index - 1), output: result(index) };
  return { timestamp: timeOf(index), type: 'response_item', payload };
}

function openAiRecord(index: number): object {
  if (index % 2 === 1) {
    return { role: 'tool', tool_call_id: callId(index - 1), content: result(index) };
  }
  const called = { name: 'find', arguments: JSON.stringify({ query: PROSE.slice(0, 200) }) };
  const call = { id: callId(index), type: 'function', function: called };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

function frameRecord(index: number): Uint8Array {
  const isCall = index % 2 === 0;
  const message = isCall
    ? { id: index, method: 'tools/call', params: { name: 'find', arguments: { query: 'meadow' } } }
    : { id: index - 1, result: { content: [{ type: 'text', text: result(index) }] } };
  return encodeFrameRecord({
    lane: isCall ? '>' : '<',
    monotonicNs: BigInt(index) * 900_000n,
    wallNs: 1_767_571_200_000_000_000n + BigInt(index) * 900_000n,
    transport: 'stdio',
    connection: 'c1',
    payload: encoder.encode(JSON.stringify({ jsonrpc: '2.0', ...message })),
  });
}

function otlpRecord(index: number): object {
  const startedAtNs = 1_767_571_200_000_000_000n + BigInt(index) * 900_000_000n;
  const said = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const span = {
    traceId: hex('trace'),
    spanId: hex(`span${index}`).slice(0, 16),
    ...(index === 0 ? {} : { parentSpanId: hex('span0').slice(0, 16) }),
    name: index === 0 ? 'invoke_agent desk' : 'execute_tool find',
    startTimeUnixNano: String(startedAtNs),
    endTimeUnixNano: String(startedAtNs + 400_000_000n),
    attributes: [
      said('gen_ai.operation.name', index === 0 ? 'invoke_agent' : 'execute_tool'),
      said('gen_ai.tool.name', 'find'),
      said('gen_ai.tool.call.id', callId(index)),
      said('gen_ai.tool.call.arguments', JSON.stringify({ query: PROSE.slice(0, 200) })),
      said('gen_ai.tool.call.result', result(index)),
    ],
  };
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [span] }] }] };
}

/** Mostly short, some long, a few very long. */
function result(index: number): string {
  return PROSE.slice(0, index % 199 === 0 ? 250_000 : index % 21 === 0 ? 20_000 : 3000);
}

function callId(index: number): string {
  return `call_${hex(`c${index}`).slice(0, 24)}`;
}

function timeOf(index: number): string {
  return new Date(Date.UTC(2026, 0, 5) + index * 900).toISOString();
}

function hex(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function uuid(text: string): string {
  return hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function line(record: object): Uint8Array {
  return encoder.encode(`${JSON.stringify(record)}\n`);
}
