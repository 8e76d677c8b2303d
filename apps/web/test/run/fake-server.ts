import { AUDIT_QUESTION_IDS, AUDIT_QUESTIONS, type Mark } from '@misstep/model';
import { vi } from 'vitest';
import { NO_COST } from '../runs/example-runs.ts';
import { skeletonOf } from './skeleton.ts';

export const RUN_ID = 'r0123456789abcdefghij';

export const skeleton = skeletonOf([
  { kind: 'user', name: 'User turn', summary: 'Where is parcel PX-9?', start: 0 },
  { parent: 0, kind: 'model', name: 'Model call', start: 1, seconds: 2, tokens: 900 },
  { parent: 0, server: 'depot', tool: 'find_parcel', start: 4, seconds: 1 },
  { parent: 0, server: 'depot', tool: 'find_parcel', start: 6, seconds: 1, status: 'error' },
  { kind: 'user', name: 'User turn', summary: '<img src=x onerror=alert(1)>', start: 9 },
]);

const hash = 'a'.repeat(64);
const origin = { sha256: hash, offset: 0, length: 10, pointer: '' };

function value(text: string) {
  return {
    state: 'captured',
    evidence: 'logged',
    origin,
    encoding: 'json',
    elisions: [],
    text,
    sizeBytes: text.length,
    omittedBytes: 0,
  };
}

function run(mark: Mark | null) {
  return {
    id: RUN_ID,
    title: 'Parcel that nobody found',
    format: 'plain-text',
    formatTitle: 'Plain-text transcript',
    client: null,
    model: null,
    naturalId: null,
    clock: 'timeOfDay',
    startedAtNs: '0',
    endedAtNs: '9000000000',
    startedAtText: '09:00:00',
    stepCount: skeleton.count,
    toolCallCount: 2,
    modelCallCount: 1,
    errorCount: 1,
    inputTokens: null,
    outputTokens: null,
    cost: NO_COST,
    bestEvidence: 'logged',
    tools: [],
    tags: [],
    outcome: null,
    mark,
    markSeq: null,
    unreadCount: 0,
    importedAt: '2026-01-01T00:00:00Z',
    sources: [
      {
        sha256: hash,
        name: 'ticket.txt',
        sizeBytes: 100,
        role: 'main',
        part: null,
        records: { total: 5, understood: 3, setAside: 2, notUnderstood: 0, malformed: 0 },
      },
    ],
    issues: [],
    issuesOmitted: 0,
    externalMarks: [],
    evidenceCounts: [0, 5, 0, 0],
    activeNs: 4e9,
    frameCount: 0,
    replayCount: 0,
    demo: false,
  };
}

function step(id: string) {
  const index = skeleton.ids.indexOf(id);
  const isCall = skeleton.tools[index] !== null;
  return {
    id,
    runId: RUN_ID,
    seq: index + 1,
    parentId: null,
    kind: isCall ? 'tool' : 'user',
    name: skeleton.names[index],
    server: skeleton.servers[index],
    tool: skeleton.tools[index],
    callId: null,
    model: null,
    startedAtNs: null,
    endedAtNs: null,
    startedAtText: null,
    endedAtText: null,
    durationNs: null,
    timeEvidence: 'logged',
    status: isCall ? 'ok' : 'none',
    statusReason: null,
    pairing: null,
    arguments: isCall ? value('{"code":9007199254740993}') : null,
    result: isCall ? value('{"found":false}') : null,
    content: isCall ? [] : [{ kind: 'text', value: value('Where is it?') }],
    usage: null,
    cost: null,
    evidence: 'logged',
    origin,
    moreOrigins: [],
    emptyResult: null,
    frameCount: 0,
    replayCount: 0,
  };
}

function audit() {
  return {
    runId: RUN_ID,
    questions: AUDIT_QUESTION_IDS.map((id, index) => ({
      id,
      question: AUDIT_QUESTIONS[id],
      answer: index < 4 ? 'answered' : index < 6 ? 'partly' : 'no',
      counts: { calls: 2 },
      missing: index < 4 ? [] : ['step.time'],
      sentence: `2 calls: what question ${index + 1} asks of all.`,
    })),
  };
}

const REASONS = ['a snapshot of files', 'a notice of the queue'];

/** Two records set aside, each for its own reason. */
function unused(query: URLSearchParams) {
  const reason = query.get('reason');
  const isWanted = (query.get('state') ?? 'setAside') === 'setAside';
  const wanted = REASONS.filter((each) => isWanted && (reason ?? each) === each);
  const state = 'setAside';
  return {
    groups: REASONS.map((each) => ({ state, reason: each, count: 1, listed: 1 })),
    groupsOmitted: 0,
    total: wanted.length,
    records: wanted.map((each) => {
      const offset = 10 * REASONS.indexOf(each);
      const place = { sha256: origin.sha256, offset, length: 8 };
      return { ...place, state, reason: each, text: `{"r": ${offset}}`, omittedBytes: 0 };
    }),
  };
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Stands in for the server; `refuseMarks` makes it answer marks with a full disk, `refuseAudit` no audit. */
export function fakeServer(options: { refuseMarks?: boolean; refuseAudit?: boolean } = {}) {
  let mark: Mark | null = null;
  const sent: SentRequest[] = [];
  const answer = (status: number, body: unknown) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  const respond = (
    method: string,
    path: string,
    query: URLSearchParams,
    body: unknown,
  ): Response => {
    const base = `/api/runs/${RUN_ID}`;
    if (path === '/api/status') {
      const status = { version: '1', dataFolder: '/', runCount: 1, sourceBytes: 1, author: 'dana' };
      return answer(200, { ...status, demoRunId: null });
    }
    if (path === '/api/targets') return answer(200, { targets: [] });
    if (path === '/api/replays') return answer(200, { total: 0, replays: [] });
    if (path === `${base}/skeleton`) return answer(200, skeleton);
    if (path === `${base}/audit` && options.refuseAudit !== true) return answer(200, audit());
    if (path === `${base}/unused`) return answer(200, unused(query));
    if (path === `${base}/marks`) return answer(200, { marks: mark === null ? [] : [mark] });
    if (path === `${base}/mark` && method === 'PUT') {
      if (options.refuseMarks === true) {
        const error = { code: 'DISK_FULL', message: 'The disk is full.', hint: 'Free some space.' };
        return answer(507, { error: { ...error, details: {} } });
      }
      mark = {
        // The page sent what the contract allows; the rest is what a server adds.
        ...(body as Mark),
        id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as Mark['id'],
        runId: RUN_ID as Mark['runId'],
        author: 'dana',
        createdAt: '2026-01-01T09:12:00.000Z',
        supersededAt: null,
      };
      return answer(200, mark);
    }
    if (path === base) return answer(200, run(mark));
    if (path.startsWith(`${base}/steps/`)) return answer(200, step(path.split('/').at(-1) ?? ''));
    return answer(404, { error: { code: 'NOT_FOUND', message: path, hint: '', details: {} } });
  };
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const { pathname: path, searchParams } = new URL(input, 'http://127.0.0.1');
    const method = init?.method ?? 'GET';
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    if (method !== 'GET') sent.push({ method, path, body });
    return respond(method, path, searchParams, body);
  });
  return { sent };
}
