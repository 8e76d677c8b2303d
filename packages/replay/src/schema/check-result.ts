import { member, nodeText, parseJson } from '@misstep/json';
import { CheckBudget } from './bounded.ts';
import { CHECK_ONCE_MS, CHECK_TOTAL_MS, type ClientVerdict, verdictOf } from './check-arguments.ts';
import { validate } from './validator.ts';

export interface ResultCheck {
  readonly verdict: 'accepted' | 'refused' | 'not checked' | 'nothing declared';
  readonly sentence: string;
  /** Pointers and places are into `structuredText`. */
  readonly strict: ClientVerdict | null;
  /** The text of `structuredContent`; null = the result has none. */
  readonly structuredText: string | null;
}

/**
 * A result as a client takes it that holds it against the tool's `outputSchema` (MCP 2025-11-25,
 * tools, structured content). Total and bounded.
 */
export function checkResult(
  definitionText: string,
  resultText: string,
  budget: CheckBudget = new CheckBudget(CHECK_TOTAL_MS, CHECK_ONCE_MS),
): ResultCheck {
  const definition = parseJson(definitionText);
  const result = parseJson(resultText);
  const none = { strict: null, structuredText: null };
  if (!definition.ok || !result.ok) {
    const sentence = 'Not checked: the definition or the result is not JSON.';
    return { ...none, verdict: 'not checked', sentence };
  }
  const schema = member(definition.value, definition.value.root, 'outputSchema');
  const content = member(result.value, result.value.root, 'structuredContent');
  if (schema === undefined) {
    const sentence =
      content === undefined
        ? 'The tool declares no outputSchema.'
        : 'The result has structuredContent, of which the tool declares nothing.';
    return { ...none, verdict: 'nothing declared', sentence };
  }
  const error = member(result.value, result.value.root, 'isError');
  const isError = error?.kind === 'literal' && error.value === true;
  if (content === undefined) {
    return isError
      ? { ...none, verdict: 'accepted', sentence: 'An error need not hold structuredContent.' }
      : {
          ...none,
          verdict: 'refused',
          sentence:
            'A strict client would refuse this result: the tool declares an outputSchema, and there is no structuredContent.',
        };
  }
  const structuredText = nodeText(result.value, content);
  const document = parseJson(structuredText);
  if (!document.ok) throw new Error('A node of a JSON document is JSON.');
  const value: unknown = JSON.parse(structuredText);
  const validation = validate(
    { document: definition.value, node: schema },
    value,
    'strict',
    budget,
  );
  const strict = verdictOf('strict', validation, document.value, 'this result');
  const isOnlyError = isError && strict.verdict === 'refused';
  return {
    strict,
    structuredText,
    verdict: strict.verdict,
    sentence: isOnlyError
      ? `${strict.sentence} It is an error (isError), which some clients do not hold against the schema.`
      : strict.sentence,
  };
}
