// Works on a data folder until it is killed: says on stdout what it begins and what was
// acknowledged, one JSON document a line. Arguments: data folder, number of the round.
import { appendFileSync } from 'node:fs';
import { openStore } from '../dist/index.js';

const [dataFolder = '', roundText = '0'] = process.argv.slice(2);
const round = Number(roundText);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const runIdOf = (number) => `r${String(number).padStart(20, '0')}`;
const replayIdOf = (number) => `01J${String(number).padStart(23, '0')}`;

const store = await openStore({ dataFolder });

function makeStep(sha256, seq) {
  const origin = { sha256, offset: seq, length: 1, pointer: '' };
  return {
    id: `s${seq}`,
    seq,
    parentId: null,
    kind: 'tool',
    name: 'find_bookings',
    server: null,
    tool: 'find_bookings',
    callId: null,
    model: null,
    time: {
      startedAtNs: 1n,
      endedAtNs: null,
      startedAtText: null,
      endedAtText: null,
      evidence: 'logged',
    },
    status: 'ok',
    statusReason: null,
    pairing: null,
    arguments: null,
    result: null,
    content: [],
    usage: null,
    recordedCostUsd: null,
    evidence: 'logged',
    origin,
    moreOrigins: [],
    summary: '',
    emptyResult: null,
  };
}

async function importRun(number, stepCount) {
  const writer = await store.createSource(`${number}.txt`);
  await writer.write(new TextEncoder().encode(`content ${number} `.repeat(2000)));
  const { sha256 } = await writer.finish();
  const steps = Array.from({ length: stepCount }, (_, index) => makeStep(sha256, index + 1));
  const run = {
    id: runIdOf(number),
    title: `Run ${number}`,
    format: 'claude-code',
    client: null,
    model: null,
    naturalId: null,
    clock: 'none',
    startedAtNs: null,
    endedAtNs: null,
    stepCount,
    toolCallCount: stepCount,
    modelCallCount: 0,
    errorCount: 0,
    inputTokens: null,
    outputTokens: null,
    modelUsage: [],
    recordedCostUsd: null,
    bestEvidence: 'logged',
    calledTools: ['track'],
  };
  const records = { total: 1, understood: 1, setAside: 0, notUnderstood: 0, malformed: 0 };
  await store.saveImport({
    format: 'claude-code',
    formatRevision: 1,
    runs: [{ run, steps, frames: [], tools: [], sources: [{ sha256, role: 'main', part: null }] }],
    sources: [{ sha256, records, unused: [], unlisted: [], lineage: sha256 }],
    issues: [],
  });
  return { sha256 };
}

for (let turn = 1; ; turn += 1) {
  const number = round * 1000 + turn;
  const runId = runIdOf(number);
  const stepCount = 1 + (turn % 4) * 400;
  say({ begin: 'run', runId, stepCount });
  const { sha256 } = await importRun(number, stepCount);
  say({ done: 'run', runId, stepCount, sha256 });

  const reason = `reason ${number}`;
  const draft = { place: { kind: 'step', stepId: 's1' }, category: null, reason, citations: [] };
  await store.putMark(runId, draft, 'child');
  say({ done: 'mark', runId, reason });

  const name = `target-${number}`;
  await store.addTarget({
    name,
    address: { transport: 'streamable-http', url: `http://${name}/` },
  });
  await store.confirmTarget(name, false);
  say({ done: 'target', name });

  const replayId = replayIdOf(number);
  const { frameLogPath } = await store.createReplay({
    id: replayId,
    runId,
    stepId: 's1',
    stepSeq: 1,
    targetName: name,
    tool: 'find_bookings',
    argumentsText: '{}',
    idempotencyKey: replayId,
    transport: 'stdio',
    startedAt: new Date().toISOString(),
  });
  appendFileSync(frameLogPath, `frames of ${number}\n`);
  say({ done: 'replay', replayId, runId });
  const end = { outcome: 'timedOut', outcomeSentence: 'No answer.', comparison: null };
  await store.finishReplay(replayId, { ...end, receiptText: '{}' });
  say({ done: 'replayEnd', replayId, runId });

  if (turn % 2 === 0) {
    say({ begin: 'delete', runId });
    await store.deleteRun(runId);
    say({ done: 'delete', runId });
  }
}
