import { readUsd, type Usage } from '@misstep/model';
import type { JsonView } from './json-view.ts';
import type { RecordFields } from './record-fields.ts';
import { structuredAttribute, textAttribute } from './span-attributes.ts';
import { statedUsd } from './stated-cost.ts';
import type { TraceSpan } from './trace-span.ts';

/**
 * A span that Langfuse's SDK made, or that was sent with what Langfuse reads: what it is, what it was
 * given and gave, tokens and level stand in attributes of its own. Other spans as they are.
 */
export function withLangfuse(span: TraceSpan): TraceSpan {
  const { attributes } = span;
  const own = (key: string): JsonView | undefined => {
    const place = attributes.get(`langfuse.observation.${key}`);
    return place?.isNull === true ? undefined : place;
  };
  const type = own('type');
  if (span.stated !== undefined || (type ?? own('input') ?? own('output')) === undefined)
    return span;
  const list = (key: string): JsonView | undefined =>
    structuredAttribute(attributes, `langfuse.observation.${key}`) ?? undefined;
  const model = textAttribute(attributes, 'langfuse.observation.model.name');
  const failed = own('level')?.text === 'ERROR';
  const message = own('status_message')?.text || null;
  return {
    ...span,
    kindHint: type?.text ?? span.kindHint,
    status: failed ? 'error' : span.status,
    statusMessage: span.statusMessage ?? message,
    stated: {
      input: own('input'),
      output: own('output'),
      usage: langfuseUsage(list('usage_details')),
      recordedCostUsd: statedUsd(list('cost_details')?.get('total')),
      ...(model === null ? {} : { model }),
    },
  };
}

/** Without a price Langfuse writes a total of 0, and no details. */
export function langfuseCost(item: RecordFields): string | null {
  const details = statedUsd(item.get('costDetails', 'total'));
  const total = statedUsd(item.get('totalCost') ?? item.get('calculatedTotalCost'));
  return details ?? (total !== null && readUsd(total) !== 0n ? total : null);
}

/**
 * Names of the parts vary. Where the parts add up to the total, they exclude one another (cached input,
 * reasoning); else `input` and `output` hold them.
 */
export function langfuseUsage(details: JsonView | undefined): Usage | null {
  const count = (...keys: string[]): number | null => details?.firstOf(...keys)?.count ?? null;
  const inputTokens = count('input', 'promptTokens', 'prompt_tokens', 'input_tokens');
  const output = count('output', 'completionTokens', 'completion_tokens', 'output_tokens');
  if (inputTokens === null && output === null) return null;
  const parts = [...(details?.entries ?? [])].flatMap(([key, view]) =>
    /^(input|output)/.test(key) && view.count !== null ? [{ key, tokens: view.count }] : [],
  );
  const sum = (of: typeof parts): number => of.reduce((total, { tokens }) => total + tokens, 0);
  const areApart = parts.length > 2 && sum(parts) === count('total');
  const ofOutput = parts.filter(({ key }) => key.startsWith('output'));
  return {
    inputTokens,
    outputTokens: areApart ? sum(ofOutput) : output,
    cacheReadTokens:
      count(
        'input_cached_tokens',
        'input_cache_read',
        'cache_read_input_tokens',
        'cached_tokens',
      ) ??
      // As a provider's API nests it.
      details?.firstOf('prompt_tokens_details', 'input_tokens_details')?.get('cached_tokens')
        ?.count ??
      null,
    cacheWriteTokens: count('input_cache_creation', 'cache_creation_input_tokens'),
    inputExcludesCache: areApart,
  };
}
