import { member, nodeText } from '@misstep/json';
import { readFrame } from './describe-frame.ts';
import { shortened } from './shortened.ts';

const MOST_TOLD = 5;
const LONGEST_ID = 60;

/** Which requests the frames of one HTTP body answer, for the case that ours is not among them. */
export class AnsweredIds {
  readonly #idTexts: string[] = [];
  #count = 0;

  see(bytes: Uint8Array): void {
    const { document, head } = readFrame(bytes);
    if (document?.root.kind === 'array') {
      for (const item of document.root.items) {
        const isAnswer =
          member(document, item, 'result') !== undefined ||
          member(document, item, 'error') !== undefined;
        const id = member(document, item, 'id');
        if (isAnswer) this.#add(id === undefined ? 'none' : nodeText(document, id), true);
      }
      return;
    }
    if (head.kind === 'response' || head.kind === 'error') this.#add(head.idText ?? 'none', false);
  }

  /** The rest of a sentence that says that there was no answer. */
  words(idText: string): string {
    const wanted = ` with id ${shortened(idText, LONGEST_ID)}`;
    if (this.#count === 0) return wanted;
    const omitted = this.#count - this.#idTexts.length;
    const rest = omitted === 0 ? '' : ` and ${omitted} more`;
    return `${wanted}; what it answers has the id ${this.#idTexts.join(', ')}${rest}`;
  }

  #add(idText: string, isInBatch: boolean): void {
    this.#count += 1;
    if (this.#idTexts.length === MOST_TOLD) return;
    this.#idTexts.push(`${shortened(idText, LONGEST_ID)}${isInBatch ? ' (in a batch)' : ''}`);
  }
}
