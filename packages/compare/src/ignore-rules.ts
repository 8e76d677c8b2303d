import { type ComparisonRow, fail, ok, type Result } from '@misstep/model';
import { type PointerPattern, readPattern } from './ignore-pattern.ts';

/** Which rows a person does not want to be judged by. */
export interface IgnoreRule {
  /** A preset's name, or the pattern itself. */
  readonly name: string;
  covers(row: Pick<ComparisonRow, 'pointer' | 'transcript' | 'wire' | 'replayed'>): boolean;
}

interface Preset {
  readonly patterns: readonly string[];
  /** Both versions, where there are both, must look like this (as JSON text). */
  readonly shape: RegExp;
}

const NUMBER = '-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';

/** Named sets of fields that differ on every call. A name alone proves nothing: the value decides. */
const PRESETS: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  [
    'timestamps',
    {
      patterns: [
        '/**/at',
        '/**/*_at',
        '/**/*At',
        '/**/*imestamp*',
        '/**/*time',
        '/**/*Time',
        '/**/*_time',
        '/**/date',
        '/**/now',
        '/**/ts',
        '/**/created',
        '/**/updated',
        '/**/modified',
        '/**/expires',
      ],
      // ISO 8601 with a time of day, or seconds to nanoseconds since 1970.
      shape:
        /^(?:"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^"]{0,30}"|"?[12]\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?"?)$/,
    },
  ],
  [
    'ids',
    {
      patterns: [
        '/**/id',
        '/**/*_id',
        '/**/*Id',
        '/**/*ID',
        '/**/uuid',
        '/**/guid',
        '/**/nonce',
        '/**/etag',
      ],
      // Made by a machine: UUID, ULID, long hexadecimal. An order number is no such id.
      shape:
        /^"[\w-]{0,12}?(?:[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-fA-F]{16,128})"$/,
    },
  ],
  [
    'cursors',
    {
      patterns: [
        '/**/*ursor',
        '/**/*ageToken',
        '/**/*age_token',
        '/**/*ontinuation*',
        '/**/*_offset_token',
      ],
      shape: /^(?:"[^"]*"|null)$/,
    },
  ],
  [
    'durations',
    {
      patterns: [
        '/**/*uration*',
        '/**/*lapsed*',
        '/**/*atency*',
        '/**/took',
        '/**/*_ms',
        '/**/*Ms',
        '/**/*_seconds',
      ],
      shape: new RegExp(`^(?:${NUMBER}|"${NUMBER} ?(?:ns|us|µs|ms|s|sec|seconds|min|m|h)")$`),
    },
  ],
]);

export const IGNORE_PRESETS: readonly string[] = [...PRESETS.keys()];

/** Rules from their names: a preset's name or a pattern. The error is one sentence. */
export function readIgnoreRules(names: readonly string[]): Result<readonly IgnoreRule[], string> {
  const rules: IgnoreRule[] = [];
  for (const name of names) {
    const preset = PRESETS.get(name);
    if (preset === undefined && !name.startsWith('/')) {
      return fail(
        `There is no ignore rule "${name}": give ${IGNORE_PRESETS.join(', ')} or a pattern like /items/*/etag.`,
      );
    }
    const patterns: PointerPattern[] = [];
    for (const text of preset?.patterns ?? [name]) {
      const pattern = readPattern(text);
      if (!pattern.ok) return pattern;
      patterns.push(pattern.value);
    }
    rules.push({
      name,
      covers: ({ pointer, transcript, wire = null, replayed }) =>
        [transcript, wire, replayed].every(
          (text) => text === null || (preset?.shape.test(text) ?? true),
        ) && patterns.some((pattern) => pattern(pointer)),
    });
  }
  return ok(rules);
}

/** A preset that would take rows, for a person to choose; nothing is ignored by it yet. */
export interface IgnoreSuggestion {
  readonly rule: string;
  /** Rows that differ and that it would take, beyond the rules in force. */
  readonly count: number;
  /** Pointer of the first of them. */
  readonly example: string;
}

/** The presets that would take a row which differs and which no rule takes yet. */
export function suggestIgnoreRules(rows: readonly ComparisonRow[]): IgnoreSuggestion[] {
  const open = rows.filter((row) => row.verdict !== 'same' && row.ignoredBy === undefined);
  const rules = readIgnoreRules(IGNORE_PRESETS);
  if (!rules.ok) return [];
  return rules.value.flatMap((rule) => {
    const taken = open.filter((row) => rule.covers(row));
    const [first] = taken;
    return first === undefined
      ? []
      : [{ rule: rule.name, count: taken.length, example: first.pointer }];
  });
}
