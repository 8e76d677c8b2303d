import { type JsonDocument, member, parseJson, stringValue } from '@misstep/json';
import { shortened } from '@misstep/mcp';
import { CheckBudget } from './schema/bounded.ts';
import { checkResult } from './schema/check-result.ts';

/** A larger result is held against nothing here; `schema` checks it when it is asked to. */
const LARGEST_CHECKED_BYTES = 2 * 1024 * 1024;
const CHECK_MS = 300;

/** Python's ways to print what JSON writes otherwise, where the text begins like JSON. */
const PYTHON = /\b(?:Decimal|UUID)\('|[{,]\s*'[^']*'\s*:/;
const DATE = /\bdatetime\.\w+\([^)]{0,60}\)?/;
const OBJECT = /<[\w.]+ object at 0x[0-9a-f]+>|\[object Object\]/;
const OBJECT_ALONE = /^\s*<[\w.]+ object at 0x[0-9a-f]+>\s*$/;
const NO_NUMBER = /[[:,]\s*-?(NaN|Infinity|nan|inf)\s*[,\]}]/;

/**
 * What strict clients or readers of a tool's result take offence at though the frame is sound, a
 * sentence each: its schema (MCP, tools, `outputSchema`), and text that was to be JSON. Text beside
 * structure is the comparison's. `definitionText` null = the tool is not listed.
 */
export function remarkOnResult(resultBytes: Uint8Array, definitionText: string | null): string[] {
  if (resultBytes.length > LARGEST_CHECKED_BYTES) return [];
  const resultText = new TextDecoder().decode(resultBytes);
  const result = parseJson(resultText);
  if (!result.ok) return [];
  return [
    ...schemaRemarks(definitionText, resultText),
    // One says it; a list of them would only be longer.
    ...textsOf(result.value)
      .flatMap((text) => wordUnreadable(text) ?? [])
      .slice(0, 1),
  ];
}

function schemaRemarks(definitionText: string | null, resultText: string): string[] {
  if (definitionText === null || !definitionText.includes('"outputSchema"')) return [];
  const budget = new CheckBudget(CHECK_MS, CHECK_MS);
  const { verdict, sentence } = checkResult(definitionText, resultText, budget);
  return verdict === 'refused' ? [sentence] : [];
}

/** The texts of the text blocks in `content`. */
function textsOf(result: JsonDocument): string[] {
  const content = member(result, result.root, 'content');
  if (content?.kind !== 'array') return [];
  return content.items.flatMap((block) => {
    const text = member(result, block, 'text');
    return text?.kind === 'string' ? [stringValue(result, text)] : [];
  });
}

/** Text that only looks like JSON, in a sentence; null = it is JSON, or does not look like it. */
function wordUnreadable(text: string): string | null {
  // Markup begins with `<` too, and may hold anything.
  if (/^\s*</.test(text)) return OBJECT_ALONE.test(text) ? wordPrinted(text.trim()) : null;
  if (!/^\s*[[({]/.test(text) || parseJson(text).ok) return null;
  const printed = DATE.exec(text) ?? OBJECT.exec(text) ?? PYTHON.exec(text);
  if (printed !== null) return wordPrinted(printed[0]);
  const word = NO_NUMBER.exec(text)?.[1];
  if (word === undefined) return null;
  return `Its text holds ${word}, which JSON does not have, so no strict reader takes it.`;
}

function wordPrinted(words: string): string {
  return `Its text holds ${shortened(words, 80)}, an object as a program prints it and no JSON: a reader has to guess its values.`;
}
