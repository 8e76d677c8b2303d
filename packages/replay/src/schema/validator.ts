import { type JsonDocument, type JsonNode, nodeText, stringValue } from '@misstep/json';
import type { ErrorObject } from 'ajv';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { CheckBudget } from './bounded.ts';
import { type Dialect, dialectOf } from './dialect.ts';

/** `strict`: types exact, formats asserted. `lenient`: types coerced, formats taken as remarks. */
export type ClientKind = 'strict' | 'lenient';

export type Validation =
  | { readonly kind: 'accepted'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly errors: readonly ErrorObject[] }
  | { readonly kind: 'notChecked'; readonly reason: string };

const MOST_SCHEMA_LENGTH = 1_000_000;

/**
 * Holds a value against a schema of others. Nothing is fetched, nothing hangs and nothing throws:
 * what can't be decided within the budget is `notChecked`, with the reason as half a sentence.
 * `value` is changed by a lenient check, so it must be the caller's own copy.
 */
export function validate(
  schema: { readonly document: JsonDocument; readonly node: JsonNode },
  value: unknown,
  client: ClientKind,
  budget: CheckBudget,
): Validation {
  const { document, node } = schema;
  const { dialect, remark } = dialectOf(document, node);
  if (dialect === null) return notChecked(remark ?? 'its $schema is not known');
  const text = nodeText(document, node);
  if (text.length > MOST_SCHEMA_LENGTH) return notChecked('the schema is larger than 1 MB');
  if (namesPrototype(document, node)) {
    return notChecked('it names a member __proto__, which the validator leaves out');
  }
  const engine = takeEngine(dialect, client);
  const done = budget.run(() => {
    // A schema's numbers are limits and lengths; validators of JavaScript read them as doubles too.
    const read: unknown = JSON.parse(text);
    const plain = plainSchema(read);
    const check = engine.compile(plain);
    const outcome = { valid: check(value), errors: check.errors ?? [] };
    engine.removeSchema(plain);
    return outcome;
  });
  // What a schema calls itself must not reach the next one, nor what a stop has left half done.
  if (done.kind === 'done' && !/id"\s*:|\\u/.test(text)) idle.set(`${dialect} ${client}`, engine);
  if (done.kind === 'tooLong') {
    return notChecked('it takes too long to apply, as patterns and references can');
  }
  if (done.kind === 'failed') return notChecked(reasonOf(done.message));
  const { valid, errors } = done.value;
  // A schema can't make the check asynchronous any more; should it, nothing is known.
  if (valid !== true && valid !== false) return notChecked('it asks to be checked later');
  return valid ? { kind: 'accepted', value } : { kind: 'refused', errors };
}

/** True where a schema speaks of `__proto__`: Ajv passes over it in silence. */
function namesPrototype(document: JsonDocument, schema: JsonNode): boolean {
  const open = [schema];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'array') for (const item of node.items) open.push(item);
    if (node.kind !== 'object') continue;
    for (const { key, value } of node.members) {
      if (stringValue(document, key) === '__proto__') return true;
      open.push(value);
    }
  }
  return false;
}

/** Engines that wait for the next schema: making one takes longer than most checks. */
const idle = new Map<string, Ajv | Ajv2020>();

function takeEngine(dialect: Dialect, client: ClientKind): Ajv | Ajv2020 {
  const key = `${dialect} ${client}`;
  const waiting = idle.get(key);
  idle.delete(key);
  if (waiting !== undefined) return waiting;
  const made = makeEngine(dialect, client);
  // Compiles the dialect's own schema, which is not the checked schema's time to spend.
  made.compile({});
  return made;
}

function makeEngine(dialect: Dialect, client: ClientKind): Ajv | Ajv2020 {
  const isStrict = client === 'strict';
  const options = {
    allErrors: true,
    strict: false,
    validateFormats: isStrict,
    coerceTypes: !isStrict,
    // `constructor` or `toString` in a schema is a name like any other.
    ownProperties: true,
    verbose: false,
    logger: false,
  } as const;
  const made = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  if (isStrict) formats.default(made);
  return made;
}

/** Without what only tells the dialect, which is decided already, and Ajv's own extensions. */
function plainSchema(read: unknown): object | boolean {
  if (typeof read === 'boolean') return read;
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new Error('a schema is an object or a boolean');
  }
  const kept = Object.entries(read).filter(([key]) => key !== '$schema' && key !== '$async');
  return Object.fromEntries(kept);
}

function reasonOf(message: string): string {
  const reference = /^can't resolve reference (.*) from id/.exec(message)?.[1];
  if (reference !== undefined) {
    return `it refers to ${reference}, which is not inside the schema, and nothing is fetched`;
  }
  if (message.includes('call stack')) return 'it refers to itself without end';
  return `it can't be compiled: ${message}`;
}

function notChecked(reason: string): Validation {
  return { kind: 'notChecked', reason };
}
