import type { FailureData } from './failure.ts';
import type { Handlers } from './handlers.ts';

/** Arguments of a handler after its database. */
type Rest<Handler> = Handler extends (database: never, ...rest: infer Items) => unknown
  ? Items
  : never;

export type HandlerName = keyof Handlers;
export type HandlerArguments<Name extends HandlerName> = Rest<Handlers[Name]>;
export type HandlerResult<Name extends HandlerName> = ReturnType<Handlers[Name]>;

export interface WorkerSetup {
  readonly dataFolder: string;
}

/** To the worker. */
export interface Request {
  readonly id: number;
  readonly name: HandlerName;
  readonly args: readonly unknown[];
}

/** From the worker; id 0 = the database is open, or why it isn't. */
export type Response =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly failure: FailureData };
