import type { BinaryFact } from '@misstep/model';
import { factOf, type HashBytes, LEAST_CHARACTERS } from './binary.ts';
import { decode } from './open-text-blocks.ts';

/** A member of printed JSON, one a line, where MCP puts base64. */
const BINARY_LINE = /^(\s*)"(?:data|blob)": ("[A-Za-z0-9+/]+={0,2}"),?$/;
const TYPE_LINE = /^(\s*)"(?:mimeType|media_type)": ("(?:[^"\\]|\\.)*"),?$/;
/** Blocks are small objects: their media type stands near. */
const NEAR_LINES = 8;

/** Which lines of JSON, one value a line, are base64 of bytes, as the rows of a comparison say it. */
export class BinaryLines {
  readonly #lines: readonly string[];
  readonly #hash: HashBytes | undefined;

  constructor(lines: readonly string[], hash: HashBytes | undefined) {
    this.#lines = lines;
    this.#hash = hash;
  }

  /** Null where the line is none, or so short that it may be a word. */
  at(index: number): BinaryFact | null {
    const line = this.#lines[index] ?? '';
    if (line.length < LEAST_CHARACTERS) return null;
    const found = BINARY_LINE.exec(line);
    if (found === null) return null;
    const [, indent = '', literal = ''] = found;
    const fact = factOf(literal, this.#typeNear(index, indent), this.#hash, LEAST_CHARACTERS);
    return fact?.sizeBytes == null ? null : fact;
  }

  #typeNear(index: number, indent: string): string | null {
    for (const step of [-1, 1]) {
      for (let away = 1; away <= NEAR_LINES; away += 1) {
        const line = this.#lines[index + step * away];
        // Where the indentation ends the object does.
        if (line === undefined || !line.startsWith(indent)) break;
        const found = TYPE_LINE.exec(line);
        if (found?.[1] === indent) return decode(found[2] ?? null);
      }
    }
    return null;
  }
}
