/**
 * The lossless tree. A node holds no value of its own: it is a kind and a span, and the document
 * text between `start` and `end` stays the only copy of what was written. `start` and `end` are
 * UTF-16 offsets into `JsonDocument.text`; for byte offsets see `byteSpan`.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonLiteral;

/** An object. Members stand in source order and duplicate keys are kept. */
export interface JsonObject {
  kind: 'object';
  start: number;
  end: number;
  members: JsonMember[];
}

export interface JsonMember {
  key: JsonString;
  value: JsonNode;
}

export interface JsonArray {
  kind: 'array';
  start: number;
  end: number;
  items: JsonNode[];
}

/** A string. The span covers the literal with its quotes; `stringValue` decodes it. */
export interface JsonString {
  kind: 'string';
  start: number;
  end: number;
}

/** A number. The span covers the token as it was written; it is never turned into a double. */
export interface JsonNumber {
  kind: 'number';
  start: number;
  end: number;
}

export interface JsonLiteral {
  kind: 'literal';
  value: true | false | null;
  start: number;
  end: number;
}

export interface JsonDocument {
  readonly text: string;
  readonly root: JsonNode;
  /**
   * Where `NaN`, `Infinity` and `-Infinity` stand, in order: numbers by their place, though JSON has
   * none such. Only a loose reading lets them through.
   */
  readonly bareNumbers?: readonly number[];
}

/** The text of a document, given as either. */
export function textOf(source: JsonDocument | string): string {
  return typeof source === 'string' ? source : source.text;
}
