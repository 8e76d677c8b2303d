import type { Usage } from '@misstep/model';
import type { JsonView } from './json-view.ts';

/** Anthropic's answers say how many of the cache writes are kept for an hour. */
export function hourWrites(count: number | null): Pick<Usage, 'cacheWriteHourTokens'> {
  return count === null || count === 0 ? {} : { cacheWriteHourTokens: count };
}

/** Requests that are charged one by one, where there are any. */
export function feeRequests(count: number | null): Pick<Usage, 'feeRequests'> {
  return count === null || count === 0 ? {} : { feeRequests: count };
}

/** Those that a usage counts: of Anthropic's own tools all but fetches, which cost nothing but tokens. */
export function feesIn(usage: JsonView | undefined): number {
  let sum = usage?.get('num_search_queries')?.count ?? 0;
  for (const [key, value] of usage?.get('server_tool_use')?.entries ?? []) {
    if (/_requests$/.test(key) && key !== 'web_fetch_requests') sum += value.count ?? 0;
  }
  return sum;
}

/** Tools of OpenAI's own that are charged by the call; of a search's steps only the search is. */
const CHARGED = /^(?:web_search|file_search|code_interpreter|image_generation)_call$/;

/** The calls among an answer's items that cost more than their tokens. */
export function feesOfItems(items: readonly JsonView[]): number {
  return items.filter((item) => {
    const action = item.at('action', 'type')?.text ?? 'search';
    return CHARGED.test(item.get('type')?.text ?? '') && action === 'search';
  }).length;
}

/**
 * Anthropic's totals leave out what the API spent on compacting the conversation, which stands among
 * the iterations; all others of these are in the totals already. Those of an adviser are another
 * model's and are not counted here.
 */
export function addCompactions(
  total: number | null,
  usage: JsonView | undefined,
  ...keys: readonly string[]
): number | null {
  let sum = total;
  for (const iteration of usage?.get('iterations')?.items ?? []) {
    if (iteration.get('type')?.text !== 'compaction') continue;
    const count = iteration.at(...keys)?.count ?? null;
    if (count !== null) sum = (sum ?? 0) + count;
  }
  return sum;
}

/**
 * Tokens as model APIs state them: OpenAI chat completions and Responses, Anthropic, LangChain,
 * Gemini. Only Anthropic counts cached input apart. Null where the object states none.
 */
export function readUsage(usage: JsonView | undefined): Usage | null {
  if (usage === undefined) return null;
  const count = (...keys: string[]): number | null => usage.firstOf(...keys)?.count ?? null;
  const inputTokens = count('input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokenCount');
  const answered = count(
    'output_tokens',
    'completion_tokens',
    'outputTokens',
    'candidatesTokenCount',
  );
  // Gemini counts what was thought apart; it is output all the same.
  const thought = count('thoughtsTokenCount');
  const outputTokens = thought === null ? answered : (answered ?? 0) + thought;
  if (inputTokens === null && outputTokens === null) return null;
  const read = usage.firstOf('cache_read_input_tokens');
  const written = usage.firstOf('cache_creation_input_tokens');
  const details = usage.firstOf(
    'prompt_tokens_details',
    'input_tokens_details',
    'input_token_details',
  );
  const whole = (sum: number | null, ...keys: string[]): number | null =>
    addCompactions(sum, usage, ...keys);
  const excludes = usage.get('prompt_tokens') === undefined && (read ?? written) !== undefined;
  return {
    inputTokens: whole(inputTokens, 'input_tokens'),
    outputTokens: whole(outputTokens, 'output_tokens'),
    cacheReadTokens: whole(
      read?.count ??
        details?.firstOf('cached_tokens', 'cache_read')?.count ??
        count('cachedContentTokenCount', 'cachedInputTokens', 'cached_input_tokens'),
      'cache_read_input_tokens',
    ),
    cacheWriteTokens: whole(
      written?.count ??
        details?.firstOf('cache_creation')?.count ??
        count('cache_write_input_tokens'),
      'cache_creation_input_tokens',
    ),
    ...hourWrites(
      whole(
        usage.at('cache_creation', 'ephemeral_1h_input_tokens')?.count ?? null,
        'cache_creation',
        'ephemeral_1h_input_tokens',
      ),
    ),
    ...feeRequests(feesIn(usage)),
    inputExcludesCache: excludes,
  };
}
