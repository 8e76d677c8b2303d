/** Something that an MCP server does wrong, with a server that does just that. */
export interface Case {
  /** Name of the case, and of the server's behaviour. */
  readonly name: string;
  readonly does: string;
  readonly transports: readonly ('stdio' | 'streamable-http')[];
}

const BOTH = ['stdio', 'streamable-http'] as const;
const STDIO = ['stdio'] as const;
const HTTP = ['streamable-http'] as const;

/** The cases of docs/cases.md, in its order. Each server's tool `echo` shows the fault. */
export const CASES: readonly Case[] = [
  // Schemas
  {
    name: 'required-unlisted',
    does: 'requires an argument that it does not describe',
    transports: BOTH,
  },
  { name: 'root-any-of', does: 'has anyOf at the root of its inputSchema', transports: BOTH },
  { name: 'root-any-of-alone', does: 'has anyOf there, and no "type": "object"', transports: BOTH },
  {
    name: 'structured-missing',
    does: 'declares an outputSchema, gives no structuredContent',
    transports: BOTH,
  },
  {
    name: 'structured-different',
    does: 'gives structuredContent of another type than declared',
    transports: BOTH,
  },
  {
    name: 'structured-beside-text',
    does: 'says 4 in its text and 3 in its structuredContent',
    transports: BOTH,
  },
  { name: 'destructive-unannotated', does: 'deletes, and has no annotations', transports: BOTH },
  {
    name: 'description-changed',
    does: 'has another description than recorded, the same schema',
    transports: BOTH,
  },
  // Frames
  { name: 'nan-answer', does: 'writes NaN into its result', transports: BOTH },
  {
    name: 'nan-in-text',
    does: 'writes NaN into the JSON text of its result',
    transports: BOTH,
  },
  { name: 'pretty-printed', does: 'prints its answer over several lines', transports: STDIO },
  { name: 'batch-answer', does: 'answers inside a batch', transports: BOTH },
  // Ids
  { name: 'string-id', does: 'answers "2" where the id is 2', transports: BOTH },
  { name: 'null-id', does: 'answers with the id null', transports: BOTH },
  { name: 'absent-id', does: 'answers without an id', transports: BOTH },
  { name: 'large-id', does: 'answers with the id 9007199254740993', transports: BOTH },
  { name: 'answers-twice', does: 'answers one call twice', transports: BOTH },
  {
    name: 'answers-notification',
    does: 'answers notifications/initialized with a result',
    transports: BOTH,
  },
  {
    name: 'refuses-notification',
    does: 'answers notifications/initialized with an error',
    transports: BOTH,
  },
  {
    name: 'progress-after-cancel',
    does: 'tells progress of a call that was cancelled',
    transports: BOTH,
  },
  // Transport
  {
    name: 'session-lost',
    does: 'forgets its session between the list and the call (HTTP 404)',
    transports: HTTP,
  },
  {
    name: 'resumed-stream',
    does: 'ends its stream before the answer, and resumes it',
    transports: HTTP,
  },
  {
    name: 'unresumable-stream',
    does: 'ends its stream before the answer, and does not resume it',
    transports: HTTP,
  },
  {
    name: 'half-stream',
    does: 'drops its stream inside the answer, without an event id',
    transports: HTTP,
  },
  // Results
  { name: 'datetime-repr', does: 'prints a Python object where JSON was meant', transports: BOTH },
  { name: 'answer-10-mb', does: 'answers with 10 MB', transports: BOTH },
  { name: 'answer-100-mb', does: 'answers with 100 MB', transports: BOTH },
  { name: 'timestamped', does: 'puts the time into each result', transports: BOTH },
  {
    name: 'swaps-answers',
    does: "gives calls at the same time each other's results",
    transports: BOTH,
  },
  // Secrets
  {
    name: 'expired-token',
    does: 'repeats a key in its error; needs SHELF_KEY_EXPIRED to be set',
    transports: BOTH,
  },
];
