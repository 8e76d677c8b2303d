import type { SourceHead } from './importer.ts';

/** What the head of a JSON document shows of its shape, also where the head is cut. */
export interface JsonOutline {
  /** Paths such as `messages[].role`, of the first value in the text, four levels deep. */
  readonly paths: ReadonlySet<string>;
  /** The first short strings at each path. */
  readonly strings: ReadonlyMap<string, readonly string[]>;
  /** True where nothing but white space follows the first value, as far as the head goes. */
  readonly single: boolean;
}

const DEEPEST = 4;
const STRINGS_KEPT = 12;
/** An object of a million keys is data; no format is told by its later keys. */
const MOST_PATHS = 10_000;
const LONGEST_STRING = 200;
const known = new WeakMap<SourceHead, JsonOutline | null>();

/** The outline of a head; null where it doesn't begin as a JSON object or array. */
export function outlineOf(head: SourceHead): JsonOutline | null {
  let outline = known.get(head);
  if (outline === undefined) {
    outline = makeOutline(head.text);
    known.set(head, outline);
  }
  return outline;
}

/** How many of these paths the outline has, as a part of all. */
export function shareOfPaths(outline: JsonOutline | null, paths: readonly string[]): number {
  if (outline === null) return 0;
  return paths.filter((path) => outline.paths.has(path)).length / paths.length;
}

/** True where a list is there and has no items, as far as the head goes. */
export function hasEmptyList({ paths, strings }: JsonOutline, path: string): boolean {
  const item = `${path}[]`;
  if (!paths.has(item) || strings.has(item)) return false;
  for (const each of paths) if (each !== item && each.startsWith(item)) return false;
  return true;
}

function makeOutline(text: string): JsonOutline | null {
  const start = /^(?:[^{[\n]{0,300}\n){0,20}?[ \t]*(?=[{[])/.exec(text)?.[0].length ?? -1;
  if (start < 0) return null;
  const paths = new Set<string>();
  const strings = new Map<string, string[]>();
  const stack: { path: string; isArray: boolean }[] = [];
  let path = '';
  let key: string | null = null;
  let at = start;
  const enter = (isArray: boolean): void => {
    // Deeper down nothing is told, and paths would only grow.
    const inside = stack.length >= DEEPEST ? '' : isArray ? `${path}[]` : path;
    if (inside !== '' && paths.size < MOST_PATHS) paths.add(inside);
    stack.push({ path: inside, isArray });
  };
  while (at < text.length) {
    const character = text.charAt(at);
    const top = stack.at(-1);
    if (top !== undefined) path = top.isArray || key === null ? top.path : `${top.path}.${key}`;
    if (character === '"') {
      const end = stringEnd(text, at);
      if (end < 0) break;
      const content = text.slice(at + 1, Math.min(end - 1, at + 1 + LONGEST_STRING));
      at = end;
      if (stack.length > DEEPEST || top === undefined) continue;
      if (!top.isArray && key === null) {
        key = content;
        if (paths.size < MOST_PATHS) paths.add(trimmed(`${top.path}.${key}`));
        continue;
      }
      const list = strings.get(trimmed(path));
      if (list === undefined) {
        if (strings.size < MOST_PATHS) strings.set(trimmed(path), [content]);
      } else if (list.length < STRINGS_KEPT) {
        list.push(content);
      }
      continue;
    }
    if (character === '{' || character === '[') {
      enter(character === '[');
      key = null;
    } else if (character === '}' || character === ']') {
      stack.pop();
      key = null;
      if (stack.length === 0) {
        const single = text.slice(at + 1).trim() === '';
        return { paths: trimAll(paths), strings, single };
      }
    } else if (character === ',') {
      key = null;
    }
    at += 1;
  }
  return { paths: trimAll(paths), strings, single: true };
}

function trimmed(path: string): string {
  return path.startsWith('.') ? path.slice(1) : path;
}

function trimAll(paths: ReadonlySet<string>): Set<string> {
  return new Set([...paths].map(trimmed));
}

/** Behind the closing quote of the string at `at`; -1 where the text ends in it. */
function stringEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 0x22) return next + 1;
    if (code === 0x5c) next += 1;
  }
  return -1;
}
