import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { demoServerCommand } from '../src/index.ts';
import { type Act, STORY } from './story.ts';

export interface RecordedFrame {
  readonly lane: '>' | '<' | '!' | '#';
  /** Nanoseconds of the run's own clock: real time in calls, the story's pauses between them. */
  readonly atNs: bigint;
  readonly text: string;
}

export interface RecordedAct {
  readonly act: Act;
  readonly atNs: bigint;
  /** For calls: when each answer came, and the text of its `result`. */
  readonly answers: readonly {
    readonly atNs: bigint;
    readonly resultText: string;
    readonly id: number;
  }[];
}

/** Plays the story against the demo server as a child process and keeps every line. */
export async function record(): Promise<{ frames: RecordedFrame[]; acts: RecordedAct[] }> {
  const { command, args } = demoServerCommand();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const frames: RecordedFrame[] = [];
  const waiting = new Map<number, (line: string) => void>();
  let offsetNs = 0n;
  const began = process.hrtime.bigint();
  const now = () => process.hrtime.bigint() - began + offsetNs;
  const push = (lane: RecordedFrame['lane'], text: string) =>
    frames.push({ lane, atNs: now(), text });
  push('#', JSON.stringify({ event: 'started', command: 'misstep-demo-server', args: [] }));
  createInterface({ input: child.stdout }).on('line', (line) => {
    push('<', line);
    // The server's ids are the small numbers given below.
    const id = /^\{"jsonrpc":"2\.0","id":(\d+)/.exec(line)?.[1];
    if (id !== undefined) waiting.get(Number(id))?.(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => push('!', line));
  const write = (text: string) => {
    push('>', text);
    child.stdin.write(`${text}\n`);
  };
  let nextId = 0;
  const request = (
    method: string,
    params: string,
  ): Promise<{ atNs: bigint; line: string; id: number }> => {
    const id = nextId++;
    return new Promise((resolve) => {
      waiting.set(id, (line) => resolve({ atNs: now(), line, id }));
      write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
    });
  };
  await request(
    'initialize',
    '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claude-code","version":"2.1.39"}}',
  );
  write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  await request('tools/list', '{}');
  const acts: RecordedAct[] = [];
  for (const act of STORY) {
    if (act.kind === 'user') offsetNs += BigInt(act.pauseMs) * 1_000_000n;
    if (act.kind === 'model') offsetNs += BigInt(act.thinkMs) * 1_000_000n;
    const atNs = now();
    const answers =
      act.kind === 'calls'
        ? await Promise.all(
            act.calls.map(async (call, index) => {
              const params = `{"name":"${call.tool}","arguments":${call.argumentsText},"_meta":{"progressToken":${100 + index}}}`;
              const answer = await request('tools/call', params);
              const resultText = answer.line.slice(answer.line.indexOf('"result":') + 9, -1);
              return { atNs: answer.atNs, resultText, id: answer.id };
            }),
          )
        : [];
    acts.push({ act, atNs, answers });
  }
  child.stdin.end();
  const [code] = await new Promise<[number | null]>((resolve) =>
    child.once('exit', (exit) => resolve([exit])),
  );
  push('#', JSON.stringify({ event: 'exit', code }));
  return { frames, acts };
}
