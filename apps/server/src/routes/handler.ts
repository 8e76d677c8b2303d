import type { Readable } from 'node:stream';
import type { Route, RouteName, routes } from '@misstep/contract';
import type { z } from 'zod';

export interface HandlerInput<R extends Route> {
  readonly params: z.output<R['params']>;
  readonly query: z.output<R['query']>;
  /** Checked JSON; undefined without a body; for routes that take bytes see `bytes`. */
  readonly body: z.output<R['body']>;
  /** The body as it comes in, for routes that take bytes. */
  readonly bytes: Readable;
  /** Aborted when the client has gone before it was answered. */
  readonly signal: AbortSignal;
}

export type Handler<R extends Route> = (
  input: HandlerInput<R>,
) => Promise<z.input<R['response']> | Download>;

/** One handler for each route of the contract: a missing one doesn't compile. */
export type Handlers = { readonly [Name in RouteName]: Handler<(typeof routes)[Name]> };

/** Bytes sent as they are, as a file to save. */
export class Download {
  readonly name: string;
  readonly sizeBytes: number;
  readonly open: () => Readable;

  constructor(name: string, sizeBytes: number, open: () => Readable) {
    this.name = name;
    this.sizeBytes = sizeBytes;
    this.open = open;
  }
}
