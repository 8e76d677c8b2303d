import { type JsonDocument, lossesOf, parseJson } from '@misstep/json';
import { shortened } from '@misstep/mcp';
import { CheckBudget } from './bounded.ts';
import { coercionsOf, type ValueCoercion } from './coercions.ts';
import { definitionShape } from './definition-shape.ts';
import { dialectOf } from './dialect.ts';
import { describeIssue, type SchemaIssue } from './issue-words.ts';
import { type ClientKind, type Validation, validate } from './validator.ts';

/** What one kind of client would do with a text that a schema describes. */
export interface ClientVerdict {
  readonly client: ClientKind;
  readonly verdict: 'accepted' | 'refused' | 'not checked';
  readonly sentence: string;
  readonly issues: readonly SchemaIssue[];
  readonly issuesOmitted: number;
  /** What a lenient client would change on the way. */
  readonly coercions: readonly ValueCoercion[];
}

export interface ArgumentCheck {
  readonly strict: ClientVerdict;
  readonly lenient: ClientVerdict;
  /** What to know of the check itself, half a sentence each. */
  readonly remarks: readonly string[];
}

const MOST_ISSUES = 50;
export const CHECK_TOTAL_MS = 4000;
export const CHECK_ONCE_MS = 1000;

/**
 * A call's arguments as a strict and as a lenient client would take them, by the `inputSchema` of
 * the tool's definition. Issues stand at their place in `argumentsText` as it was typed. Total:
 * any two texts give an answer, within a bounded time.
 */
export function checkArguments(
  definitionText: string,
  argumentsText: string,
  budget: CheckBudget = new CheckBudget(CHECK_TOTAL_MS, CHECK_ONCE_MS),
): ArgumentCheck {
  const definition = parseJson(definitionText);
  const args = parseJson(argumentsText);
  if (!args.ok) return undecided(`the arguments are not JSON: ${args.error.message}`);
  if (!definition.ok) return undecided('the definition of the tool is not JSON');
  // Also as clients hand it to a model: a recording may hold it so.
  const schema = definitionShape(definition.value)?.parts.get('inputSchema');
  if (schema === undefined) return undecided('the definition has no inputSchema');
  const place = { document: definition.value, node: schema };
  const check = (client: ClientKind) => {
    // A copy for each: a lenient check changes it. Clients of JavaScript read arguments so too.
    const value: unknown = JSON.parse(argumentsText);
    return verdictOf(client, validate(place, value, client, budget), args.value, 'these arguments');
  };
  return {
    strict: check('strict'),
    lenient: check('lenient'),
    remarks: [...remarksOn(dialectOf(definition.value, schema).remark), ...lossRemarks(args.value)],
  };
}

/** A validation in words. `what` is what was checked: `these arguments`. */
export function verdictOf(
  client: ClientKind,
  validation: Validation,
  document: JsonDocument,
  what: string,
): ClientVerdict {
  const none = { client, issues: [], issuesOmitted: 0, coercions: [] };
  if (validation.kind === 'notChecked') {
    const sentence = `Not checked: the schema is at fault, ${validation.reason}.`;
    return { ...none, verdict: 'not checked', sentence };
  }
  if (validation.kind === 'refused') {
    const issues = validation.errors
      .slice(0, MOST_ISSUES)
      .map((error) => describeIssue(document, error));
    const total = validation.errors.length;
    const first = issues[0]?.sentence ?? '';
    const count = total === 1 ? '' : ` ${total} problems, first:`;
    return {
      ...none,
      verdict: 'refused',
      sentence: `A ${client} client would refuse ${what}:${count} ${first}`,
      issues,
      issuesOmitted: total - issues.length,
    };
  }
  const coercions = client === 'lenient' ? coercionsOf(document, validation.value) : [];
  const [first] = coercions;
  const changed =
    first === undefined
      ? what === 'this result'
        ? ' as it is'
        : ' as they are'
      : ` with ${coercions.length} ${coercions.length === 1 ? 'value' : 'values'} changed: \`${first.pointer}\` from ${first.from} to ${first.to}`;
  const sentence = `A ${client} client would take ${what}${changed}.`;
  return { ...none, verdict: 'accepted', sentence, coercions };
}

function lossRemarks(document: JsonDocument): string[] {
  return lossesOf(document)
    .filter(({ kind }) => ['precision', 'overflow', 'duplicate-key'].includes(kind))
    .slice(0, MOST_ISSUES)
    .map(({ kind, pointer, text, becomes }) =>
      kind === 'duplicate-key'
        ? `\`${pointer}\` is a duplicate key, and only the last one was checked`
        : `\`${pointer}\` was checked as ${becomes}, which is what JavaScript makes of ${shortened(text, 60)}`,
    );
}

function undecided(reason: string): ArgumentCheck {
  const of = (client: ClientKind): ClientVerdict => ({
    client,
    verdict: 'not checked',
    sentence: `Not checked: ${reason}.`,
    issues: [],
    issuesOmitted: 0,
    coercions: [],
  });
  return { strict: of('strict'), lenient: of('lenient'), remarks: [] };
}

function remarksOn(remark: string | null): string[] {
  return remark === null ? [] : [remark];
}
