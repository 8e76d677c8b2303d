import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { totalsOf } from '@misstep/model';
import { describe, expect, test } from 'vitest';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { CORPUS_FOLDER, FIXTURES_FOLDER, filesBelow, sourceOfFile } from './support.ts';

/**
 * Tokens of whole files, counted a second time in the dumbest way: plain JSON.parse, each message's
 * or span's own usage once, cached input as the format defines it.
 */
type Json = Record<string, unknown>;
type Sum = readonly [input: number, output: number];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);
const num = (value: unknown): number =>
  (typeof value === 'number' ? value : Number(value ?? 0)) || 0;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function linesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

const documents = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)];
  } catch {
    return linesOf(text);
  }
};

/** Every object anywhere in the documents. */
function everyObject(of: unknown): Json[] {
  const found: Json[] = [];
  const waiting = [of];
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (isObject(next)) found.push(next);
    if (typeof next === 'object' && next !== null) {
      // In the order of the file: the last is taken first.
      for (const each of Object.values(next).reverse()) waiting.push(each);
    }
  }
  return found;
}

const add = (sums: Iterable<Sum>): Sum => {
  let input = 0;
  let output = 0;
  for (const [more, out] of sums) {
    input += more;
    output += out;
  }
  return [input, output];
};

const anthropicOwn = (usage: unknown): Sum => [
  num(at(usage, 'input_tokens')) +
    num(at(usage, 'cache_read_input_tokens')) +
    num(at(usage, 'cache_creation_input_tokens')),
  num(at(usage, 'output_tokens')),
];
/** The totals leave out what compacting took, which stands among the iterations. */
const anthropic = (usage: unknown): Sum => {
  const iterations = at(usage, 'iterations');
  const compactions = (Array.isArray(iterations) ? iterations : []).filter(
    (each) => at(each, 'type') === 'compaction',
  );
  return add([usage, ...compactions].map(anthropicOwn));
};
const openAi = (usage: unknown): Sum => [
  num(at(usage, 'prompt_tokens') ?? at(usage, 'input_tokens')),
  num(at(usage, 'completion_tokens') ?? at(usage, 'output_tokens')),
];

/** Of records with an id and a parent: those that no record below has tokens for as well. */
function leaves(nodes: readonly { id: unknown; parent: unknown; sum: Sum | null }[]): Sum {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const covered = new Set<unknown>();
  for (const node of nodes) {
    if (node.sum === null) continue;
    for (let up = byId.get(node.parent); up !== undefined && !covered.has(up.id); ) {
      covered.add(up.id);
      up = byId.get(up.parent);
    }
  }
  return add(nodes.flatMap(({ id, sum }) => (sum === null || covered.has(id) ? [] : [sum])));
}

function attributesOf(span: Json): Json {
  return Object.fromEntries(
    list(span.attributes).map((pair) => {
      const value = at(pair, 'value');
      return [String(at(pair, 'key')), isObject(value) ? Object.values(value)[0] : value];
    }),
  );
}

const IN = [
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.prompt_tokens',
  'llm.token_count.prompt',
  'ai.usage.inputTokens',
  'ai.usage.promptTokens',
];
const OUT = [
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.completion_tokens',
  'llm.token_count.completion',
  'ai.usage.outputTokens',
  'ai.usage.completionTokens',
];

function langfuseSum(given: unknown): Sum | null {
  const usage = isObject(given) ? given : {};
  if (usage.input === undefined && usage.output === undefined) return null;
  const parts = Object.entries(usage).filter(([key]) => /^(input|output)/.test(key));
  const sumOf = (side: string): number =>
    parts.filter(([key]) => key.startsWith(side)).reduce((sum, [, value]) => sum + num(value), 0);
  const apart = parts.length > 2 && sumOf('') === num(usage.total);
  return apart ? [sumOf('input'), sumOf('output')] : [num(usage.input), num(usage.output)];
}

function spanSum(attributes: unknown): Sum | null {
  const langfuse = at(attributes, 'langfuse.observation.usage_details');
  if (typeof langfuse === 'string') return langfuseSum(JSON.parse(langfuse));
  const first = (keys: string[]) =>
    keys
      .map((key) => (isObject(attributes) ? attributes[key] : undefined))
      .find((value) => value !== undefined);
  const [input, output] = [first(IN), first(OUT)];
  return input === undefined && output === undefined ? null : [num(input), num(output)];
}

/** What a log record tells of a span that tells nothing of it itself. */
function loggedSum(text: string, spanId: unknown): Sum | null {
  const records = everyObject(documents(text)).filter(
    (each) => each.startTimeUnixNano === undefined && Array.isArray(each.attributes),
  );
  const sums = records
    .filter((record) => record.spanId === spanId)
    .flatMap((record) => spanSum(attributesOf(record)) ?? []);
  return sums.length === 0 ? null : [sums[0] ?? 0, sums[1] ?? 0];
}

const COUNTERS: Readonly<Record<string, (text: string) => Sum>> = {
  'claude-code-jsonl': (text) => {
    const messages = new Map<string, Sum>();
    // Of sub-agents whose files are not here the session holds the messages as their progress.
    for (const record of linesOf(text).flatMap((line) => [line, at(line, 'data', 'message')])) {
      const usage = at(record, 'message', 'usage');
      if (at(record, 'type') !== 'assistant' || usage === undefined) continue;
      // Text of the client in place of an answer.
      if (at(record, 'isApiErrorMessage') === true) continue;
      const id = at(record, 'message', 'id');
      const key =
        id === undefined ? String(at(record, 'uuid')) : `${id} ${at(record, 'requestId')}`;
      const [input, output] = messages.get(key) ?? [0, 0];
      const [more, out] = anthropic(usage);
      messages.set(key, [Math.max(input, more), Math.max(output, out)]);
    }
    return add(messages.values());
  },
  'claude-code-stream': (text) => {
    const messages = new Map<unknown, Sum>();
    const rest: Sum[] = [];
    let before: Sum = [0, 0];
    let streamed: unknown;
    for (const record of documents(text).flatMap((each) => (Array.isArray(each) ? each : [each]))) {
      const event = at(record, 'event');
      streamed = at(event, 'message', 'id') ?? streamed;
      if (at(record, 'type') === 'result') {
        // Answers that are told as they began: the sum holds their output, if it is theirs.
        const now = add(messages.values());
        const [input, output] = anthropic(at(record, 'usage'));
        const more = output - (now[1] - before[1]);
        const isTheirs = text.includes('"stop_reason":null') && input === now[0] - before[0];
        if (isTheirs && more > 0) rest.push([0, more]);
        before = now;
      }
      const isDelta = at(event, 'type') === 'message_delta';
      if (at(record, 'type') !== 'assistant' && !isDelta) continue;
      const message = isDelta ? { id: streamed, usage: at(event, 'usage') } : at(record, 'message');
      const id = at(message, 'id');
      const [input, output] = messages.get(id) ?? [0, 0];
      const [more, out] = anthropic(at(message, 'usage'));
      const isBegun = at(message, 'stop_reason') === null;
      messages.set(id, [Math.max(input, more), isBegun ? output : Math.max(output, out)]);
    }
    return add([...messages.values(), ...rest]);
  },
  'codex-rollout': (text) => {
    const totals = new Map<string, Sum>();
    for (const record of linesOf(text)) {
      const info = at(record, 'payload', 'info') ?? at(record, 'msg', 'info');
      const total = at(info, 'total_token_usage');
      if (isObject(total))
        totals.set(JSON.stringify(total), openAi(at(info, 'last_token_usage') ?? total));
    }
    return add(totals.values());
  },
  'codex-exec': (text) =>
    add(
      linesOf(text)
        .filter((record) => at(record, 'type') === 'turn.completed')
        .map((record) => openAi(at(record, 'usage'))),
    ),
  'gemini-cli': (text) => {
    const messages = new Map<unknown, Sum>();
    for (const each of everyObject(documents(text))) {
      const { tokens } = each;
      if (each.type !== 'gemini' || !isObject(tokens)) continue;
      messages.set(each.id, [num(tokens.input), num(tokens.output) + num(tokens.thoughts)]);
    }
    return add(messages.values());
  },
  opencode: (text) =>
    add(
      everyObject(documents(text.slice(text.indexOf('{'))))
        .filter(({ info, parts }) => isObject(info) && Array.isArray(parts))
        .flatMap(({ info, parts }): Sum[] => {
          const ends = list(parts).filter((part) => at(part, 'type') === 'step-finish');
          return (ends.length > 0 ? ends : [info]).map((each) => {
            const tokens = at(each, 'tokens');
            const cached = num(at(tokens, 'cache', 'read')) + num(at(tokens, 'cache', 'write'));
            return [num(at(tokens, 'input')) + cached, num(at(tokens, 'output'))];
          });
        }),
    ),
  'inspect-json': (text) =>
    add(
      everyObject(documents(text))
        .filter(({ event }) => event === 'model')
        .map((event): Sum => {
          const usage = at(event, 'output', 'usage');
          const cached =
            num(at(usage, 'input_tokens_cache_read')) + num(at(usage, 'input_tokens_cache_write'));
          return [num(at(usage, 'input_tokens')) + cached, num(at(usage, 'output_tokens'))];
        }),
    ),
  'otlp-json': (text) =>
    leaves(
      everyObject(documents(text))
        .filter(({ spanId, attributes }) => typeof spanId === 'string' && Array.isArray(attributes))
        .filter(({ startTimeUnixNano }) => startTimeUnixNano !== undefined)
        .map((span) => ({
          id: `${String(span.traceId).toLowerCase()} ${String(span.spanId).toLowerCase()}`,
          parent: `${String(span.traceId).toLowerCase()} ${String(span.parentSpanId).toLowerCase()}`,
          sum: spanSum(attributesOf(span)) ?? loggedSum(text, span.spanId),
        }))
        // A span may be told twice.
        .filter((span, index, all) => all.findIndex(({ id }) => id === span.id) === index),
    ),
  langfuse: (text) => {
    const observations = everyObject(documents(text)).filter(
      ({ traceId, type, usage }) =>
        typeof traceId === 'string' && (typeof type === 'string' || usage !== undefined),
    );
    // A file may hold the observations twice, below the trace and beside it.
    const once = [...new Map(observations.map((each) => [each.id, each])).values()];
    return leaves(
      once.map((each) => ({
        id: each.id,
        parent: each.parentObservationId,
        sum: langfuseSum(each.usageDetails ?? each.usage),
      })),
    );
  },
  langsmith: (text) => {
    const runs = new Map<unknown, Sum>();
    for (const run of everyObject(documents(text))) {
      if (run.run_type !== 'llm') continue;
      const usage =
        at(run, 'outputs', 'usage_metadata') ??
        at(run, 'outputs', 'llm_output', 'token_usage') ??
        at(run, 'outputs', 'usage') ??
        run;
      runs.set(run.id ?? run.run_id, openAi(usage));
    }
    return add(runs.values());
  },
  openhands: (text) => {
    const answers = new Map<unknown, Sum>();
    for (const each of everyObject(documents(text))) {
      const response = at(each, 'tool_call_metadata', 'model_response');
      if (isObject(response)) answers.set(response.id, openAi(response.usage));
    }
    return add(answers.values());
  },
  'mini-swe-agent': (text) =>
    add(
      everyObject(documents(text))
        .filter(({ role }) => role === 'assistant')
        .map((message) => openAi(at(message, 'extra', 'response', 'usage'))),
    ),
  atif: (text) =>
    add(
      everyObject(documents(text))
        .filter(({ step_id, source }) => step_id !== undefined && source === 'agent')
        .filter(({ is_copied_context }) => is_copied_context !== true)
        .map(({ metrics }) => openAi(metrics)),
    ),
  smolagents: (text) =>
    add(
      everyObject(documents(text))
        .filter(
          ({ step_number, model_output_message }) =>
            step_number !== undefined || model_output_message !== undefined,
        )
        .map(({ token_usage, model_output_message }) =>
          openAi(token_usage ?? at(model_output_message, 'token_usage')),
        ),
    ),
  'anthropic-messages': (text) => {
    const lines = text.split('\n').map((line) => line.replace(/^data: /, ''));
    const events = linesOf(lines.join('\n'));
    const start = events.find((event) => at(event, 'type') === 'message_start');
    const end = events.findLast((event) => at(event, 'type') === 'message_delta');
    // The last event states the output as a whole, the first the input.
    if (start !== undefined) {
      const [input] = anthropic(at(start, 'message', 'usage'));
      return [input, num(at(end, 'usage', 'output_tokens'))];
    }
    return add(
      documents(text)
        .map((each) => at(each, 'response', 'usage') ?? at(each, 'usage'))
        .map(anthropic),
    );
  },
  'openai-messages': (text) =>
    add(
      documents(text)
        .map((each) => at(each, 'response', 'usage') ?? at(each, 'usage'))
        .map(openAi),
    ),
  phoenix: (text) => {
    const spans = everyObject(documents(text)).filter(
      ({ attributes, context }) => isObject(attributes) && isObject(context),
    );
    return leaves(
      spans.map((span) => ({
        id: at(span.context, 'span_id'),
        parent: span.parent_id,
        sum: spanSum(span.attributes),
      })),
    );
  },
};

/** What the dumb counting can't know of a file, so that the sums differ for a reason. */
const EXCEPTIONS: readonly (readonly [file: RegExp, why: string])[] = [
  [/^vercel-ai\/(all-spans|spans-by-operation)/, 'spans as an SDK holds them, without parents'],
];

async function totalsIn(path: string): Promise<{ format: string | null; sum: Sum }> {
  const main = sourceOfFile(path);
  const { importer } = chooseFormat(await makeSourceHead(main));
  const result = await importer?.read({ main, companions: [] });
  const sums = (result?.runs ?? []).map((run): Sum => {
    const { inputTokens, outputTokens } = totalsOf(run.steps);
    return [inputTokens ?? 0, outputTokens ?? 0];
  });
  return { format: importer?.id ?? null, sum: add(sums) };
}

for (const [place, folder] of [
  ['fixtures', FIXTURES_FOLDER],
  ['real files', CORPUS_FOLDER],
] as const) {
  const files = filesBelow(folder).filter(
    (path) => /\.jsonl?$/.test(path) && !/\.expected\.json$|\.companion-/.test(path),
  );
  describe.skipIf(files.length === 0)(`tokens of ${place}`, () => {
    const seen = new Set<string>();
    test.each(files.map((path) => [relative(folder, path), path] as const))(
      '%s',
      async (name, path) => {
        const { format, sum } = await totalsIn(path);
        const count = COUNTERS[format ?? ''];
        if (count === undefined || EXCEPTIONS.some(([file]) => file.test(name))) return;
        expect([format, ...sum]).toEqual([format, ...count(readFileSync(path, 'utf8'))]);
        if (sum[0] + sum[1] > 0) seen.add(format ?? '');
      },
    );
    test('were found in more than one format', () => {
      expect(seen.size).toBeGreaterThan(7);
    });
  });
}
