export {
  ByteIndex,
  byteSpan,
  decodeUtf8,
  type JsonBytesDocument,
  parseJsonBytes,
  parseJsonBytesPrefix,
  parseLooseJsonBytes,
  parseLooseJsonBytesPrefix,
} from './bytes.ts';
export { CANONICAL_VERSION, canonicalJson } from './canonical.ts';
export { type JsonChange, listChanges } from './changes.ts';
export {
  copyAt,
  insertAt,
  type JsonEdit,
  type JsonEditError,
  type JsonPointerError,
  removeAt,
  replaceAt,
} from './edit.ts';
export { equalJson, equalNodes } from './equal.ts';
export { mayLose, NumberText, parsePlain } from './fast.ts';
export { type Loss, type LossKind, lossesOf } from './loss.ts';
export type {
  JsonArray,
  JsonDocument,
  JsonLiteral,
  JsonMember,
  JsonNode,
  JsonNumber,
  JsonObject,
  JsonString,
} from './node.ts';
export { compareNumbersExactly, losesInDoubles, numberKey, type Sameness } from './number.ts';
export { parseJson, parseJsonPrefix, parseLooseJson, parseLooseJsonPrefix } from './parse.ts';
export {
  escapePointerSegment,
  listPointers,
  type PointerEntry,
  type PointerSegment,
  resolvePointer,
  splitPointer,
} from './pointer.ts';
export { type PrintOptions, printJson, printNode } from './print.ts';
export { type JsonResult, type JsonSyntaxError, positionOf } from './syntax-error.ts';
export { encodeString, member, members, nodeText, stringValue, toPlain } from './text.ts';
export { segmentsHeld } from './through-texts.ts';
export { type Elision, readTolerant, stringBeforeCut, type TolerantDocument } from './tolerant.ts';
