import type { Step } from '@misstep/model';
import { NumberColumn } from '../../number-column.ts';
import { firstLine } from '../../one-line.ts';
import { StepTable } from '../../step-table.ts';
import type { PartWithText } from './content-parts.ts';

/** One API message: its blocks are spread over several records. */
export interface ModelCall {
  readonly step: Step;
  readonly number: number;
}

const CALLS = 'calls ';
const NOTHING_SAID = '(thinking)';

/**
 * The API messages of a thread by their ids, in some 50 bytes each. Their steps are summed up as they
 * come: by the first text; where none is written, by the tools that are called.
 */
export class ModelCalls {
  readonly #steps = new StepTable();
  /** 1 for those whose summary is a text. */
  readonly #saidSomething = new NumberColumn(Uint32Array);

  get(id: string): ModelCall | null {
    const step = this.#steps.get(id);
    return step === null ? null : { step, number: this.#steps.numberOf(id) };
  }

  /** Of an id that `get` doesn't know. */
  add(id: string, step: Step): ModelCall {
    return { step, number: this.#steps.set(id, step) };
  }

  addParts({ step, number }: ModelCall, parts: readonly PartWithText[]): void {
    for (const { part, text } of parts) {
      step.content.push(part);
      if (text !== null && text.trim() !== '' && this.#saidSomething.get(number) === 0) {
        this.#saidSomething.set(number, 1);
        step.summary = firstLine(text);
      }
      if (step.summary === '') step.summary = NOTHING_SAID;
    }
  }

  addTool({ step, number }: ModelCall, name: string): void {
    if (this.#saidSomething.get(number) === 1) return;
    const { summary } = step;
    // Cut to what a summary shows, however many there are.
    step.summary = firstLine(summary.startsWith(CALLS) ? `${summary}, ${name}` : CALLS + name);
  }
}
