import { ERROR_CATALOGUE, isMisstepError } from '@misstep/model';
import { ZodError } from 'zod';

/** An error in the words that a person sees: what happened, and what to do next. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Turns whatever a call threw into words. */
export function problemOf(error: unknown): Problem {
  if (isMisstepError(error)) {
    const { code, message, details } = error;
    return { code, message, hint: hintHere(error.hint), details };
  }
  if (error instanceof ZodError || error instanceof SyntaxError) {
    return {
      code: 'ANSWER_NOT_UNDERSTOOD',
      message: 'The server answered with something that this page does not understand.',
      hint: 'Reload the page: it may be older or newer than the server.',
      details: {},
    };
  }
  if (error instanceof TypeError) {
    return {
      code: 'NO_ANSWER',
      message: 'Misstep does not answer.',
      hint: 'Start it again and open the address that it prints. Nothing that was saved is lost.',
      details: {},
    };
  }
  return {
    code: 'INTERNAL',
    message: error instanceof Error ? error.message : 'Something failed without saying why.',
    hint: '',
    details: {},
  };
}

/** Addresses and commands are of no use to who pressed a button. */
function hintHere(hint: string): string {
  return hint === ERROR_CATALOGUE.REQUEST_INVALID.hint ? 'Nothing was done.' : hint;
}
