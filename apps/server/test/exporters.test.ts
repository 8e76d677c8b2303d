import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type RunId, STEP_KINDS, type Step } from '@misstep/model';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../src/listen.ts';
import { openTestServices, until } from './support.ts';

// OpenTelemetry's own SDK and exporters in a process of their own, set up by nothing but the
// environment that Misstep shows, sending to a Misstep that listens.

const AGENT = fileURLToPath(new URL('./traced-agent.mjs', import.meta.url));

async function startMisstep() {
  const services = await openTestServices();
  const server = await serve(services, { port: 0 });
  onTestFinished(() => server.close());
  const { environment } = await services.receiver.makeToken();
  const variables = environment.map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return { services, port: server.port, environment: Object.fromEntries(variables) };
}

/** Runs the agent; `between` while its root span has not ended yet. */
async function runAgent(
  words: readonly string[],
  environment: Record<string, string>,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  const agent = spawn(process.execPath, [AGENT, ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    agent.kill();
  });
  const ended = once(agent, 'exit');
  await once(agent.stdout, 'data');
  await between();
  agent.stdin.write('go on\n');
  expect(await ended).toEqual([0, null]);
}

function pictureOf(steps: readonly Step[]) {
  const seqs = new Map(steps.map(({ id, seq }) => [id, seq]));
  return steps.map(({ seq, kind, name, status, statusReason, parentId, usage }) => ({
    seq,
    kind: STEP_KINDS.find((known) => known === kind),
    name,
    status,
    statusReason,
    parent: parentId === null ? null : seqs.get(parentId),
    tokens: usage === null ? null : [usage.inputTokens, usage.outputTokens],
  }));
}

const call = { kind: 'tool', name: 'weigh_wheel', status: 'error', tokens: null };
const ended = [
  { seq: 1, kind: 'agent', name: 'wheelwright', parent: null, tokens: null },
  { seq: 2, kind: 'model', name: 'Model call', parent: 1, tokens: [100, 9], status: 'ok' },
  { seq: 3, parent: 1, ...call, statusReason: 'the scale is asleep' },
];

test.each(['json', 'protobuf'] as const)(
  'a run appears while its agent runs and sends %s',
  async (encoding) => {
    const { services, environment } = await startMisstep();
    const gzip = { OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip' };
    let runId: RunId | null = null;
    await runAgent([encoding, 'batch'], { ...environment, ...gzip }, async () => {
      runId = await until(async () => {
        const { runs } = await services.store.listRuns({ offset: 0, limit: 2 });
        return runs[0]?.run.id ?? null;
      });
      const steps = await services.store.listSteps(runId);
      expect(steps.map(({ name }) => name)).toEqual(['Model call', 'weigh_wheel']);
    });
    await services.receiver.settle();
    const { runs } = await services.store.listRuns({ offset: 0, limit: 2 });
    expect(runs.map(({ run }) => [run.id, run.title, run.client, run.inputTokens])).toEqual([
      [runId, 'Wie schwer ist das Rad? ✓', 'wheel-desk', 100],
    ]);
    const steps = await services.store.listSteps(runs[0]?.run.id as RunId);
    expect(pictureOf(steps)).toMatchObject(ended);
    expect(await services.values.wholeText(steps[2]?.arguments ?? null)).toBe(
      '{"wheel":9007199254740993}',
    );
    expect(steps[2]?.arguments?.encoding).toBe(encoding === 'json' ? 'json-string' : 'text');
  },
);

/** Refuses the first request, and loses the answer of the second on the way back. */
async function startUnreliableProxy(port: number): Promise<{ port: number; answers: number[] }> {
  const answers: number[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const attempt = answers.length;
    const retryLater = () => {
      answers.push(503);
      outgoing.writeHead(503, { 'retry-after': '0' }).end();
    };
    if (attempt === 0) {
      incoming.resume().on('end', retryLater);
      return;
    }
    const { method, url, headers } = incoming;
    const passed = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path: url,
        headers: { ...headers, host: `127.0.0.1:${port}` },
      },
      (answer) => {
        answer.resume().on('end', () => {
          if (attempt === 1) return retryLater();
          answers.push(answer.statusCode ?? 0);
          outgoing
            .writeHead(answer.statusCode ?? 0, { 'content-type': 'application/json' })
            .end('{}');
        });
      },
    );
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  // A server that listens on a port has an address of this form.
  return { port: (proxy.address() as AddressInfo).port, answers };
}

test('spans that an exporter sends again are there once', async () => {
  const { services, port, environment } = await startMisstep();
  const proxy = await startUnreliableProxy(port);
  const url = `http://127.0.0.1:${proxy.port}/v1/traces`;
  await runAgent(['json', 'batch'], { ...environment, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url });
  await services.receiver.settle();
  expect(proxy.answers.slice(0, 3)).toEqual([503, 503, 200]);
  const { runs } = await services.store.listRuns({ offset: 0, limit: 2 });
  expect(runs).toHaveLength(1);
  const detail = await services.store.getRun(runs[0]?.run.id as RunId);
  expect(pictureOf(await services.store.listSteps(detail.run.id))).toMatchObject(ended);
  expect(detail.issues.map(({ code }) => code)).toContain('DUPLICATE_SPAN');
});

test('spans sent one by one, children first, come out as one tree', async () => {
  const { services, environment } = await startMisstep();
  await runAgent(['protobuf', 'single'], environment);
  await services.receiver.settle();
  const { runs } = await services.store.listRuns({ offset: 0, limit: 2 });
  expect(pictureOf(await services.store.listSteps(runs[0]?.run.id as RunId))).toMatchObject(ended);
  expect((await services.receiver.state()).requests).toBe(3);
});
