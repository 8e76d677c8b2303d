/** Families of recordings of one session, made up from a number. In every id and name stands TOKEN. */
export const TOKEN = '0badcafe';

export interface Family {
  readonly format: string;
  /** Content by path. */
  readonly files: Readonly<Record<string, string>>;
  /** What all of it holds, copies left out. */
  readonly calls: number;
  readonly inputTokens: number;
}

type Pick = (count: number) => number;

/** A small generator, so that a family comes again from its number. */
function pickFrom(seed: number): Pick {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (count) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % count;
  };
}

const timeAt = (second: number): string =>
  new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString();

interface ClaudeRecord {
  readonly type: string;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly timestamp: string;
  readonly message: object;
  readonly sessionId: string;
  readonly forkedFrom?: object;
}

interface ClaudeSession {
  readonly id: string;
  readonly records: readonly ClaudeRecord[];
  /** The first records of its own: what was copied stands before. */
  readonly copied: number;
  readonly endsAt: number;
}

const uuidOf = (name: string): string =>
  `${TOKEN}-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`;

/** How a session goes on from another: copies as they are, named, under other ids, from later on, none. */
const WAYS = ['same', 'named', 'renamed', 'later', 'none'] as const;

/** One session and some that were resumed or forked from it or from one another. */
function claudeFamily(seed: number, count = 3): Family {
  const pick = pickFrom(seed);
  const sessions: ClaudeSession[] = [];
  let name = 0;
  const goOn = (id: string, copied: readonly ClaudeRecord[], from: number, turns: number) => {
    const records = [...copied];
    let at = from;
    for (let turn = 0; turn < turns; turn += 1) {
      name += 1;
      const [ask, call, result] = [`a${name}`, `c${name}`, `r${name}`];
      const toolId = `toolu_${TOKEN}_${name}`;
      const add = (uuid: string, type: string, message: object) => {
        at += 1 + pick(3);
        const parentUuid = records.at(-1)?.uuid ?? null;
        records.push({
          ...{ type, uuid: uuidOf(uuid), parentUuid, sessionId: id },
          ...{ timestamp: timeAt(at), message },
        });
      };
      add(ask, 'user', { role: 'user', content: `Weigh crate ${name}` });
      const content = [{ type: 'tool_use', id: toolId, name: 'weigh', input: { name } }];
      const usage = { input_tokens: 100, output_tokens: 10 };
      const id_ = `msg_${TOKEN}_${name}`;
      add(call, 'assistant', { role: 'assistant', id: id_, model: 'demo', content, usage });
      const answer = [{ type: 'tool_result', tool_use_id: toolId, content: `${name}: 12 kg` }];
      add(result, 'user', { role: 'user', content: answer });
    }
    sessions.push({ id, records, copied: copied.length, endsAt: at });
  };
  const idOf = (index: number) => `${TOKEN}-1111-4000-8000-00000000000${index}`;
  goOn(idOf(0), [], 0, 2 + pick(2));
  for (let index = 1; index < count; index += 1) {
    const parent = sessions[pick(sessions.length)];
    if (parent === undefined) continue;
    const id = idOf(index);
    const way = WAYS[pick(WAYS.length)] ?? 'same';
    const turns = Math.floor(parent.records.length / 3);
    const kept = way === 'none' ? turns : 1 + pick(turns);
    const taken = parent.records.slice(0, kept * 3);
    const start = parent.endsAt + 5 + pick(20);
    const first = way === 'later' && kept > 1 ? 3 : 0;
    const copied = taken.slice(first).map((record, at): ClaudeRecord => {
      if (way === 'named') {
        const forkedFrom = { sessionId: parent.id, messageUuid: record.uuid };
        return { ...record, sessionId: id, forkedFrom };
      }
      if (way !== 'renamed') return { ...record, sessionId: id };
      const renamed = (uuid: string | null) =>
        uuid === null ? null : uuid.replace('-4000-', `-4${index}00-`);
      return {
        ...record,
        ...{ sessionId: id, uuid: renamed(record.uuid) ?? '', timestamp: timeAt(start) },
        parentUuid: at === 0 ? null : renamed(record.parentUuid),
      };
    });
    if (way === 'none') {
      goOn(id, taken.slice(-1), start, 1 + pick(2));
      const last = sessions.pop();
      // The last record of the other is what its own first one names, and stands there alone.
      if (last !== undefined) sessions.push({ ...last, records: last.records.slice(1), copied: 0 });
    } else goOn(id, copied, start, 1 + pick(2));
  }
  return {
    format: 'claude-code-jsonl',
    calls: name,
    inputTokens: name * 100,
    files: Object.fromEntries(
      sessions.map(({ id, records }) => [
        `${id}.jsonl`,
        records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      ]),
    ),
  };
}

/** A session with the files of sub-agents that it started. */
function agentFamily(seed: number): Family {
  const pick = pickFrom(seed);
  const sessionId = `${TOKEN}-2222-4000-8000-000000000000`;
  const files: Record<string, string> = {};
  const lines: object[] = [];
  let at = 0;
  for (const agent of ['one', 'two'].slice(0, 1 + pick(2))) {
    const callId = `toolu_${TOKEN}_${agent}`;
    const agentId = `${TOKEN}${agent}`;
    const line = (uuid: string, type: string, message: object, more: object = {}) => {
      at += 1 + pick(4);
      const timestamp = timeAt(at);
      return { type, uuid: uuidOf(uuid), parentUuid: null, sessionId, timestamp, message, ...more };
    };
    const prompt = `Weigh ${agent}`;
    const usage = { input_tokens: 7, output_tokens: 3 };
    const input = { prompt, description: prompt, subagent_type: 'weigher' };
    lines.push(line(`u${agent}`, 'user', { role: 'user', content: `Ask ${agent}` }));
    const calls = [{ type: 'tool_use', id: callId, name: 'Task', input }];
    const asked = { role: 'assistant', id: `msg_${TOKEN}_${agent}`, content: calls, usage };
    lines.push(line(`t${agent}`, 'assistant', asked));
    const side = { isSidechain: true, agentId };
    const said = [{ type: 'text', text: `${agent}: 12 kg` }];
    const answer = { role: 'assistant', id: `msg_${TOKEN}_s${agent}`, content: said, usage };
    files[`agent-${agentId}.jsonl`] = [
      line(`p${agent}`, 'user', { role: 'user', content: prompt }, side),
      line(`s${agent}`, 'assistant', answer, side),
    ]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('');
    const result = [{ type: 'tool_result', tool_use_id: callId, content: said }];
    const toolUseResult = { status: 'completed', agentId };
    lines.push(line(`r${agent}`, 'user', { role: 'user', content: result }, { toolUseResult }));
  }
  files[`${sessionId}.jsonl`] = lines.map((each) => `${JSON.stringify(each)}\n`).join('');
  const calls = Object.keys(files).length - 1;
  return { format: 'claude-code-jsonl', files, calls, inputTokens: calls * 14 };
}

/** Rollouts of Codex: one, and forks of it or of one another, with ids of turns or without. */
function codexFamily(seed: number, count = 3): Family {
  const pick = pickFrom(seed);
  const hasTurnIds = pick(2) === 0;
  const sessions: { id: string; turns: readonly string[]; endsAt: number }[] = [];
  const files: Record<string, string> = {};
  let name = 0;
  for (let index = 0; index < count; index += 1) {
    const parent = index === 0 ? undefined : sessions[pick(sessions.length)];
    const id = `${TOKEN}-3333-7000-8000-00000000000${index}`;
    const lines: string[] = [];
    let at = (parent?.endsAt ?? 0) + (parent === undefined ? 0 : 20 + pick(10));
    const add = (type: string, payload: object) =>
      lines.push(JSON.stringify({ timestamp: timeAt(at), type, payload }));
    const meta = { cwd: '/crates', originator: 'demo', cli_version: '0.1.0', source: 'cli' };
    const from = parent === undefined ? {} : { forked_from_id: parent.id };
    add('session_meta', { id, timestamp: timeAt(at), ...meta, ...from });
    const kept = parent?.turns.slice(0, 1 + pick(parent.turns.length)) ?? [];
    const own: string[] = [];
    for (let turn = 0; turn < 1 + pick(2) + (parent === undefined ? 1 : 0); turn += 1) {
      name += 1;
      own.push(`${TOKEN}${name}`);
    }
    for (const [place, turn] of [...kept, ...own].entries()) {
      if (place >= kept.length) at += 5 + pick(5);
      add('turn_context', {
        ...(hasTurnIds ? { turn_id: `turn-${turn}` } : {}),
        ...{ cwd: '/crates', model: 'demo' },
      });
      const content = [{ type: 'input_text', text: `Weigh crate ${turn}` }];
      add('response_item', { type: 'message', role: 'user', content });
      const call = { name: 'weigh', arguments: '{"crate":1}', call_id: `call-${turn}` };
      add('response_item', { type: 'function_call', ...call });
      add('response_item', { type: 'function_call_output', call_id: call.call_id, output: '12' });
      const last = { input_tokens: 100, cached_input_tokens: 0, output_tokens: 10 };
      const sum = (place + 1) * 100;
      const total = { input_tokens: sum, cached_input_tokens: 0, output_tokens: sum / 10 };
      const info = { total_token_usage: total, last_token_usage: last };
      add('event_msg', { type: 'token_count', info });
    }
    files[`rollout-${id}.jsonl`] = `${lines.join('\n')}\n`;
    sessions.push({ id, turns: [...kept, ...own], endsAt: at });
  }
  return { format: 'codex-rollout', files, calls: name, inputTokens: name * 100 };
}

/** A trajectory that was cut into files, with copied steps or without, each with an id of its own or not. */
function atifFamily(seed: number, count = 3): Family {
  const pick = pickFrom(seed);
  const hasOwnIds = pick(2) === 0;
  const files: Record<string, string> = {};
  let step = 0;
  for (let index = 0; index < count; index += 1) {
    const steps: object[] = [];
    const copied = hasOwnIds && index > 0 ? 1 + pick(2) : 0;
    const own = 1 + pick(2);
    for (let place = 0; place < copied + own; place += 1) {
      const isCopied = place < copied;
      if (!isCopied) step += 1;
      const number = isCopied ? place + 1 : step;
      steps.push({
        ...{ step_id: number, source: 'agent', message: `step ${number}` },
        ...(isCopied ? { is_copied_context: true } : {}),
        tool_calls: [{ tool_call_id: `c${number}`, function_name: 'weigh', arguments: { number } }],
        observation: { results: [{ source_call_id: `c${number}`, content: '12 kg' }] },
        metrics: { prompt_tokens: 100, completion_tokens: 10 },
      });
    }
    const suffix = index === 0 ? '' : `.cont-${index}`;
    const next = index + 1 < count ? `trajectory.cont-${index + 1}.json` : null;
    files[`jobs/${TOKEN}/trajectory${suffix}.json`] = JSON.stringify({
      schema_version: 'ATIF-v1.6',
      session_id: `kegs-${TOKEN}${hasOwnIds && index > 0 ? `-cont-${index}` : ''}`,
      agent: { name: 'demo', version: '1', model_name: 'demo' },
      steps,
      ...(next === null ? {} : { continued_trajectory_ref: next }),
    });
  }
  return { format: 'atif', files, calls: step, inputTokens: step * 100 };
}

/** `mcp.log` and the logs of two servers, some of which begin or end elsewhere than the others. */
function logFamily(seed: number): Family {
  const pick = pickFrom(seed);
  const servers = [`yard${TOKEN}`, `barn${TOKEN}`];
  const entries: { server: string; at: string; body: string; second: number }[] = [];
  let second = 0;
  for (let id = 0; id < 12; id += 1) {
    const server = servers[pick(2)] ?? 'yard';
    const message = (from: string, rest: object) =>
      `Message from ${from}: ${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}`;
    const add = (body: string) => {
      second += pick(3);
      entries.push({ server, at: timeAt(second), body, second });
    };
    add(message('client', { method: 'tools/call', params: { name: 'count', arguments: { id } } }));
    add(message('server', { result: { content: [{ type: 'text', text: `${id}` }] } }));
  }
  const lines = (
    isShown: (entry: (typeof entries)[number]) => boolean,
    write: (entry: (typeof entries)[number]) => string,
  ) =>
    entries
      .filter(isShown)
      .map((entry) => `${write(entry)}\n`)
      .join('');
  const skipped = 2 * pick(3);
  const files: Record<string, string> = {
    'mcp.log': lines(
      (entry) => entries.indexOf(entry) >= skipped,
      ({ at, server, body }) => `${at} [info] [${server}] ${body}`,
    ),
  };
  for (const name of servers) {
    const own = lines(
      ({ server }) => server === name,
      ({ at, server, body }) => `${at} [${server}] [info] ${body}`,
    );
    if (own !== '') files[`mcp-server-${name}.log`] = `${own}only ${name} prints this\n`;
  }
  return { format: 'claude-desktop-log', files, calls: 12, inputTokens: 0 };
}

export const FAMILIES: Readonly<Record<string, (seed: number) => Family>> = {
  'sessions of Claude Code': claudeFamily,
  'sub-agents of Claude Code': agentFamily,
  'rollouts of Codex': codexFamily,
  'files of an ATIF trajectory': atifFamily,
  'logs of Claude Desktop': logFamily,
};
