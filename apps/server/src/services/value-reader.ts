import type { ValueDetail } from '@misstep/contract';
import { decodeUtf8 } from '@misstep/json';
import { type CapturedValue, type Origin, valueText } from '@misstep/model';
import type { Store } from '@misstep/store';
import { cutText, wholeCharacters } from './cut-text.ts';
import { SourceBlocks } from './source-blocks.ts';

/** Texts of recorded values, read from the bytes that they stand in. */
export class ValueReader {
  readonly #blocks: SourceBlocks;

  constructor(store: Pick<Store, 'readSource'>) {
    this.#blocks = new SourceBlocks(store);
  }

  /** The whole exact text; null where the source holds none. */
  async wholeText(value: CapturedValue | null): Promise<string | null> {
    if (value === null) return null;
    if (value.inlineText !== null) return value.inlineText;
    if (value.origin === null) return null;
    const { sha256, offset, length } = value.origin;
    const bytes = await this.#blocks.read(sha256, offset, length);
    return valueText(value.encoding, decodeUtf8(bytes).text);
  }

  async bytesOf(origin: Omit<Origin, 'pointer'>): Promise<Uint8Array> {
    return this.#blocks.read(origin.sha256, origin.offset, origin.length);
  }

  /** The value with its text as far as `maxBytes`. */
  async detail(value: CapturedValue | null, maxBytes: number): Promise<ValueDetail | null> {
    if (value === null) return null;
    const { inlineText, ...shown } = value;
    if (inlineText !== null || value.origin === null) {
      return { ...shown, ...textOrNone(inlineText, maxBytes) };
    }
    // These encodings are the text byte for byte, so what is cut need not be read.
    if (AS_IT_STANDS.has(value.encoding)) {
      return { ...shown, ...(await this.window(value.origin, maxBytes)) };
    }
    return { ...shown, ...textOrNone(await this.wholeText(value), maxBytes) };
  }

  /** The text of the bytes at an origin as far as `maxBytes`. */
  async window(
    origin: Omit<Origin, 'pointer'>,
    maxBytes: number,
  ): Promise<{ text: string; sizeBytes: number; omittedBytes: number }> {
    const { sha256, offset, length } = origin;
    const bytes = await this.#blocks.read(sha256, offset, Math.min(length, maxBytes));
    const kept = length > maxBytes ? wholeCharacters(bytes) : bytes.length;
    const { text } = decodeUtf8(bytes.subarray(0, kept));
    return { text, sizeBytes: length, omittedBytes: length - kept };
  }
}

const AS_IT_STANDS: ReadonlySet<CapturedValue['encoding']> = new Set<CapturedValue['encoding']>([
  'json',
  'text',
  'cut-json',
]);

function textOrNone(text: string | null, maxBytes: number) {
  return text === null ? { text, sizeBytes: 0, omittedBytes: 0 } : cutText(text, maxBytes);
}
