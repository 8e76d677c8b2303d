/** What a client may cost. Sizes in bytes, times in milliseconds. */
export const LIMITS = {
  headersTimeoutMs: 10_000,
  /** From the headers to the last byte of a JSON body. */
  jsonBodyTimeoutMs: 30_000,
  /** Between two chunks of an upload, which may take as long as it needs in all. */
  uploadIdleTimeoutMs: 60_000,
  keepAliveTimeoutMs: 10_000,
  /** How often Node looks for connections whose headers are late. */
  connectionsCheckMs: 1000,
  maxConnections: 256,
  maxHeaderBytes: 16_384,
  /** Longest value of one path parameter: a step's id has at most 128 characters. */
  maxParamLength: 200,
  jsonBodyBytes: 1_048_576,
  pastedTextBytes: 67_108_864,
  replayArgumentsBytes: 16_777_216,
  /** One request with spans, as it comes and once unpacked. */
  spansBodyBytes: 16_777_216,
  /** All that are on their way at once. */
  spansPendingBytes: 67_108_864,
} as const;

export type Limits = { readonly [Name in keyof typeof LIMITS]: number };
