/**
 * Every error that Misstep can answer with, in one place: its kind, HTTP status and what the
 * reader can do next. Tool errors, protocol errors and import issues are data, not errors.
 */
export const ERROR_CATALOGUE = {
  REQUEST_INVALID: {
    status: 400,
    hint: 'Nothing was done. What each address takes is in docs/api.md, what each command takes in `misstep help`.',
  },
  TOKEN_MISSING: {
    status: 401,
    hint: 'Open the address that Misstep printed when it started; it holds the token of this start.',
  },
  ORIGIN_REFUSED: { status: 403, hint: 'Open Misstep by its own address on 127.0.0.1.' },
  HOST_REFUSED: { status: 403, hint: 'Use 127.0.0.1 or localhost and the port that was printed.' },
  PATH_REFUSED: { status: 403, hint: 'Import the file by drop, file dialog or the command line.' },
  NOT_FOUND: {
    status: 404,
    hint: 'Nothing of Misstep has this address: begin at /runs, or see docs/api.md.',
  },
  RUN_NOT_FOUND: {
    status: 404,
    hint: 'It may have been deleted or read anew. The runs there are: `misstep runs`, or the page Runs.',
  },
  STEP_NOT_FOUND: {
    status: 404,
    hint: 'The steps there are: `misstep show RUN`, or the tree of the run.',
  },
  SOURCE_NOT_FOUND: { status: 404, hint: 'Its source went with the last run that needed it.' },
  TARGET_NOT_FOUND: {
    status: 404,
    hint: 'Add it with `misstep target add NAME`, or on the page Servers.',
  },
  REPLAY_NOT_FOUND: {
    status: 404,
    hint: 'The replays there are: `misstep show RUN STEP`, or the page Replays.',
  },
  EXPERIMENT_NOT_FOUND: {
    status: 404,
    hint: 'The experiments there are: `misstep experiment list`, or the page Comparisons.',
  },
  CITATION_NOT_FOUND: {
    status: 404,
    hint: 'Cite a place that the value has, the whole value, or a replay where only its answer has it.',
  },
  RECEIPT_NOT_FOUND: {
    status: 404,
    hint: 'A replay has one once it has ended by itself and the call could be planned.',
  },
  IMPORT_NOT_FOUND: { status: 404, hint: 'It was dismissed, or Misstep was started anew since.' },
  ASK_NOT_FOUND: {
    status: 404,
    hint: 'The asks of a replay are listed with it, each with its ordinal.',
  },
  METHOD_NOT_ALLOWED: { status: 405, hint: 'See docs/api.md for the methods of each address.' },
  TARGET_EXISTS: { status: 409, hint: 'Choose another name, or remove that target first.' },
  SECRET_NOT_FOUND: { status: 404, hint: 'List the names with `misstep target secrets NAME`.' },
  SECRETS_UNREADABLE: {
    status: 500,
    hint: 'Move secrets.json in the data folder away and give the values again.',
  },
  PRICE_NOT_FOUND: { status: 404, hint: 'List your own prices with `misstep prices`.' },
  PRICES_UNREADABLE: {
    status: 409,
    hint: 'Mend prices.json in the data folder, or move it away; the table of Misstep holds until then.',
  },
  CONFIG_UNREADABLE: {
    status: 400,
    hint: 'Point at an mcp.json, claude_desktop_config.json, settings.json or config.toml with servers in it.',
  },
  SIGN_IN_FAILED: { status: 502, hint: 'Start the sign-in again, or give a bearer token instead.' },
  IMPORT_RUNNING: { status: 409, hint: 'Wait for it or cancel it.' },
  RUN_BUSY: { status: 409, hint: 'Wait for the replay to end or cancel it, then delete the run.' },
  ASK_CLOSED: { status: 409, hint: 'It has its answer, or nobody waits for one any more.' },
  REPLAY_REFUSED: {
    status: 409,
    hint: 'Nothing was sent. The recording and the draft are as they were: mend what the message names there, and send it anew.',
  },
  BODY_TOO_LARGE: { status: 413, hint: 'Import large files with `misstep import PATH`.' },
  RESULT_TOO_LARGE: {
    status: 413,
    hint: 'Export the pair: the file holds every byte.',
  },
  CONTENT_TYPE_REFUSED: { status: 415, hint: 'Send the body as application/json.' },
  IMPORT_NO_FORMAT: {
    status: 415,
    hint: 'If you know its format, choose it under “read as” in the file’s row, or use `misstep import --format ID FILE`. The page Formats and docs/formats list them.',
  },
  IMPORT_UNREADABLE: { status: 415, hint: 'Check that the file is whole and not compressed.' },
  TOOLS_NOT_LISTED: {
    status: 502,
    hint: 'Check the command or address of the target, and that it runs.',
  },
  DATA_FOLDER_NEWER: {
    status: 500,
    hint: 'Use the newer Misstep that wrote it, or another folder with --data.',
  },
  DATA_FOLDER_READ_ONLY: {
    status: 500,
    hint: 'Make the folder writable or choose another with --data. Nothing was changed.',
  },
  DATA_FOLDER_DAMAGED: {
    status: 500,
    hint: 'Sources are intact: move the database file away and import them again.',
  },
  WORK_BUSY: { status: 503, hint: 'Nothing is lost: ask again in a moment.' },
  RECEIVER_BUSY: { status: 503, hint: 'Send the spans again in a moment.' },
  DISK_FULL: {
    status: 507,
    hint: 'Free some space and try again. What was saved before is intact.',
  },
  STOPPED: {
    status: 503,
    hint: 'What was done before stays. Give the same command again to do the rest.',
  },
  INTERNAL: { status: 500, hint: 'This is a fault of Misstep; the log on stderr has the details.' },
} as const satisfies Record<string, { status: number; hint: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

const MARKER = Symbol.for('misstep.error');

/** The one error that routes and commands turn into an answer. `message` says what and where. */
export class MisstepError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly #hint: string | undefined;

  /** `options.hint` in place of the catalogue's, where more is known of what to do. */
  constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions & { readonly hint?: string },
  ) {
    super(message, options);
    this.name = 'MisstepError';
    this.code = code;
    this.details = details;
    this.#hint = options?.hint;
    Object.defineProperty(this, MARKER, { value: true });
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }

  get hint(): string {
    return this.#hint ?? ERROR_CATALOGUE[this.code].hint;
  }
}

/** True also for errors made by another copy of this module (a worker, a bundled build). */
export function isMisstepError(value: unknown): value is MisstepError {
  return typeof value === 'object' && value !== null && MARKER in value;
}
