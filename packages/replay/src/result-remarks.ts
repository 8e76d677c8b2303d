import {
  equalNodes,
  type JsonDocument,
  type JsonNode,
  member,
  parseJson,
  stringValue,
} from '@misstep/json';
import { CheckBudget } from './schema/bounded.ts';
import { checkResult } from './schema/check-result.ts';

/** A larger result is held against nothing here; `schema` checks it when it is asked to. */
const LARGEST_CHECKED_BYTES = 2 * 1024 * 1024;
const CHECK_MS = 300;

/** Python's ways to print what JSON writes otherwise, where the text begins like JSON. */
const PYTHON = /\bdatetime\.\w+\(|\b(?:Decimal|UUID)\('|[{,]\s*'[^']*'\s*:/;
const OBJECT = /<[\w.]+ object at 0x[0-9a-f]+>|\[object Object\]/;
const NO_NUMBER = /[[:,]\s*-?(NaN|Infinity|nan|inf)\s*[,\]}]/;

/**
 * What strict clients or readers of a tool's result take offence at though the frame is sound, a
 * sentence each: its schema (MCP, tools, `outputSchema`), its text beside its structure, and text
 * that was to be JSON. `definitionText` null = the tool is not listed.
 */
export function remarkOnResult(resultBytes: Uint8Array, definitionText: string | null): string[] {
  if (resultBytes.length > LARGEST_CHECKED_BYTES) return [];
  const resultText = new TextDecoder().decode(resultBytes);
  const result = parseJson(resultText);
  if (!result.ok) return [];
  return [
    ...schemaRemarks(definitionText, resultText),
    ...textRemarks(result.value, textsOf(result.value)),
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

function textRemarks(result: JsonDocument, texts: readonly string[]): string[] {
  const structured = member(result, result.root, 'structuredContent');
  const remarks = texts.flatMap((text) => wordUnreadable(text) ?? []);
  const [only] = texts;
  if (structured === undefined || only === undefined || texts.length > 1) return remarks;
  return differs(result, structured, only)
    ? [
        ...remarks,
        'Its text and its structuredContent are not the same JSON, so clients that show the one or the other show two results.',
      ]
    : remarks;
}

/** Text that only looks like JSON, in a sentence; null = it is JSON, or does not look like it. */
function wordUnreadable(text: string): string | null {
  if (!/^\s*[[({<]/.test(text) || parseJson(text).ok) return null;
  const printed =
    /\bdatetime\.\w+\([^)]{0,60}\)?/.exec(text) ?? OBJECT.exec(text) ?? PYTHON.exec(text);
  if (printed !== null) {
    return `Its text holds ${printed[0].slice(0, 80)}, an object as a program prints it and no JSON: a reader has to guess its values.`;
  }
  const word = NO_NUMBER.exec(text)?.[1];
  if (word === undefined) return null;
  return `Its text holds ${word}, which JSON does not have, so no strict reader takes it.`;
}

/**
 * False where the text is no JSON object: then it says something else on purpose. A structure that
 * wraps the text's value in one member, as frameworks do (`{"result": ...}`), says the same.
 */
function differs(result: JsonDocument, structured: JsonNode, text: string): boolean {
  const read = parseJson(text);
  if (!read.ok || read.value.root.kind !== 'object') return false;
  const { text: readText, root } = read.value;
  const [first, ...others] = structured.kind === 'object' ? structured.members : [];
  const wrapped = others.length === 0 ? first?.value : undefined;
  return [structured, ...(wrapped === undefined ? [] : [wrapped])].every(
    (node) => equalNodes(readText, root, result.text, node) === 'different',
  );
}
