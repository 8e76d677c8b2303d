import { type CutMarker, commentEnd, describeMarker, markerAt } from './cut-marker.ts';
import type { JsonArray, JsonNode, JsonObject, JsonString } from './node.ts';
import { cutsOfString } from './string-cut.ts';
import { closingQuote, stringValue } from './text.ts';
import { reachOfString } from './tolerant-string.ts';
import { bareKeyEnd, isOpenScalar, scalarAt } from './tolerant-token.ts';

type ElisionKind = 'items' | 'members' | 'characters' | 'lines' | 'value' | 'tail';

/** An elision whose pointer is not known yet: that of `target`, or of `key` in it. */
export interface PendingElision {
  target: JsonNode;
  key: string | null;
  kind: ElisionKind;
  count: number | null;
  start: number;
  end: number;
}

/** Announces an object that is there; `markerAt` takes it for a stand-in where no brace follows. */
const PRINTED_PROTOTYPE = '[Object: null prototype]';
const MOST_PROBLEMS = 1000;
const MOST_TAILS = 250;

/** The state machine behind `readTolerant`. One use: construct, `read`, look at the fields. */
export class TolerantReader {
  readonly elisions: PendingElision[] = [];
  readonly problems: { offset: number; message: string }[] = [];
  end = 0;
  readonly #text: string;
  #at: number;
  readonly #open: (JsonArray | JsonObject)[] = [];
  #openArrays = 0;
  /** The key whose value comes next, in the innermost object. */
  #key: JsonString | null = null;
  /** What stood last in the innermost container. */
  #last: 'open' | 'comma' | 'value' | 'marker' | 'lines' = 'open';

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#at = offset;
  }

  read(): JsonNode | null {
    this.#skipSpace();
    if (markerAt(this.#text, this.#at)?.standsForOne === true) return null;
    const root = this.#readNode();
    if (root === null) return null;
    while (this.#open.length > 0) {
      if (!this.#step()) {
        this.#closeAllCut();
        break;
      }
    }
    this.end = this.#at;
    return root;
  }

  /** One thing inside the innermost container. False where reading cannot go on. */
  #step(): boolean {
    this.#skipSpace();
    const top = this.#open.at(-1);
    if (top === undefined || this.#at >= this.#text.length) return false;
    const character = this.#text.charAt(this.#at);
    if (this.#key !== null && top.kind === 'object') return this.#stepMemberValue(top, this.#key);
    if (character === ',') return this.#stepComma();
    if (character === ']' || character === '}') return this.#stepCloser(character);
    const marker = markerAt(this.#text, this.#at);
    if (marker !== null) return this.#takeMarker(top, marker);
    const comment = commentEnd(this.#text, this.#at);
    if (comment >= 0) {
      this.#problem(this.#at, 'A comment.');
      this.#at = comment;
      return true;
    }
    if (this.#last === 'value') this.#problem(this.#at, 'No comma before this.');
    if (top.kind === 'object') return this.#stepKey(top);
    return this.#readNode() !== null || this.#passOpenScalar();
  }

  #stepComma(): boolean {
    if (this.#last === 'comma' || this.#last === 'open') {
      this.#problem(this.#at, 'A comma with nothing before it.');
    }
    this.#last = 'comma';
    this.#at += 1;
    return true;
  }

  #stepCloser(character: string): boolean {
    const wanted = character === ']' ? 'array' : 'object';
    const available = wanted === 'array' ? this.#openArrays : this.#open.length - this.#openArrays;
    if (available === 0) return false;
    if (this.#last === 'comma') this.#problem(this.#at, 'A comma with nothing after it.');
    let closed = 0;
    for (let top = this.#open.at(-1); top !== undefined && top.kind !== wanted; ) {
      this.#problem(this.#at, `An ${top.kind} that is not closed.`);
      if (closed < MOST_TAILS) this.#elide(top, null, 'tail', this.#nothing());
      closed += 1;
      this.#close(this.#at);
      top = this.#open.at(-1);
    }
    this.#at += 1;
    this.#close(this.#at);
    return true;
  }

  #close(end: number): void {
    const top = this.#open.pop();
    if (top === undefined) return;
    top.end = end;
    if (top.kind === 'array') this.#openArrays -= 1;
    this.#key = null;
    this.#last = 'value';
  }

  #stepKey(top: JsonObject): boolean {
    const start = this.#at;
    const isBare = closingQuote(this.#text.charCodeAt(start)) === 0;
    if (isBare) {
      const end = bareKeyEnd(this.#text, start);
      // After cut lines comes other text more often than the rest of the object.
      if (end < 0 || this.#last === 'lines') return false;
      this.#at = end;
      if (end === this.#text.length) return false;
    } else {
      const reach = reachOfString(this.#text, start);
      this.#at = reach.end;
      if (!reach.closed) return false;
      if (reach.problem !== null) this.#problem(reach.problem.offset, reach.problem.message);
    }
    const key: JsonString = { kind: 'string', start, end: this.#at };
    this.#skipSpace();
    if (this.#text.charAt(this.#at) === ':') {
      this.#at += 1;
      this.#key = key;
      if (isBare) this.#problem(start, 'A key without quotes.');
      return true;
    }
    if (isBare && !this.#atEnd()) {
      this.#at = start;
      return false;
    }
    // A key that is whole but has no value: the text ends here or goes on as something else.
    this.#elide(top, this.#keyText(key), this.#atEnd() ? 'tail' : 'value', this.#nothing());
    return false;
  }

  #stepMemberValue(top: JsonObject, key: JsonString): boolean {
    const name = this.#keyText(key);
    if (this.#isCutMember(top, key, name)) return true;
    const character = this.#text.charAt(this.#at);
    this.#key = null;
    if (character === ',' || character === '}' || character === ']') {
      this.#problem(this.#at, 'A key without a value.');
      this.#elide(top, name, 'value', this.#nothing());
      this.#last = 'value';
      return true;
    }
    const marker = markerAt(this.#text, this.#at);
    if (marker !== null) {
      this.#elide(top, name, 'value', marker);
      this.#at = marker.end;
      this.#last = 'marker';
      return true;
    }
    const comment = commentEnd(this.#text, this.#at);
    if (comment >= 0) {
      this.#problem(this.#at, 'A comment.');
      this.#at = comment;
      this.#key = key;
      return true;
    }
    this.#key = key;
    if (this.#readNode() !== null) return true;
    this.#key = null;
    const cut = isOpenScalar(this.#text, this.#at);
    if (cut) this.#at = this.#text.length;
    this.#elide(top, name, cut ? 'tail' : 'value', this.#nothing());
    return false;
  }

  /** `"...": "..."`: a member that stands for members left out. */
  #isCutMember(top: JsonObject, key: JsonString, name: string): boolean {
    if (!/^(?:…|⋯|\.{2,})$/u.test(name)) return false;
    if (closingQuote(this.#text.charCodeAt(this.#at)) === 0) return false;
    const reach = reachOfString(this.#text, this.#at);
    if (!reach.closed) return false;
    this.#key = null;
    this.#last = 'marker';
    const said = describeMarker(this.#text.slice(this.#at, reach.end), reach.end);
    this.#elide(top, null, 'members', said, key.start);
    this.#at = reach.end;
    return true;
  }

  #takeMarker(top: JsonArray | JsonObject, marker: CutMarker): boolean {
    const own: ElisionKind = top.kind === 'array' ? 'items' : 'members';
    const kind = marker.unit === 'lines' ? 'lines' : own;
    let count = marker.count;
    if (marker.standsForOne === true) count = 1;
    else if (marker.unit === 'characters') count = null;
    this.#elide(top, null, kind, { ...marker, count });
    this.#at = marker.end;
    this.#last = kind === 'lines' ? 'lines' : 'marker';
    return true;
  }

  /** Reads a scalar whole, or opens a container, and puts it where it belongs. */
  #readNode(): JsonNode | null {
    if (this.#text.startsWith(PRINTED_PROTOTYPE, this.#at)) {
      this.#problem(this.#at, 'A printed prototype.');
      this.#at = this.#text.indexOf('{', this.#at);
    }
    const start = this.#at;
    const character = this.#text.charAt(start);
    if (character === '{' || character === '[') {
      const node: JsonNode =
        character === '{'
          ? { kind: 'object', start, end: start, members: [] }
          : { kind: 'array', start, end: start, items: [] };
      this.#attach(node);
      this.#open.push(node);
      if (node.kind === 'array') this.#openArrays += 1;
      this.#last = 'open';
      this.#at += 1;
      return node;
    }
    if (closingQuote(this.#text.charCodeAt(start)) !== 0) return this.#readString(start);
    const scalar = scalarAt(this.#text, start);
    if (scalar === null) return null;
    if (!scalar.strict) this.#problem(start, 'A value spelled as JSON does not spell it.');
    const { value, end } = scalar;
    const node: JsonNode =
      scalar.kind === 'number'
        ? { kind: 'number', start, end }
        : { kind: 'literal', value, start, end };
    this.#attach(node);
    this.#at = end;
    if (node.kind === 'number') this.#markCutNumber(node);
    return node;
  }

  /** A number that touches the end of the text or an ellipsis may have had more digits. */
  #markCutNumber(node: JsonNode): void {
    if (this.#atEnd()) {
      if (this.#open.length > 0) this.#elide(node, null, 'tail', this.#nothing());
      return;
    }
    if (!'.…⋯'.includes(this.#text.charAt(this.#at))) return;
    const marker = markerAt(this.#text, this.#at);
    if (marker !== null && marker.count === null) this.#elide(node, null, 'tail', marker);
  }

  #readString(start: number): JsonString {
    const reach = reachOfString(this.#text, start);
    const node: JsonString = { kind: 'string', start, end: reach.end };
    if (reach.problem !== null) this.#problem(reach.problem.offset, reach.problem.message);
    this.#attach(node);
    const { cuts, end } = cutsOfString(this.#text, start, reach, this.#open.length > 0);
    for (const cut of cuts) this.elisions.push({ target: node, key: null, ...cut });
    if (reach.linesCut !== null) this.#last = 'lines';
    this.#at = end;
    return node;
  }

  #attach(node: JsonNode): void {
    const top = this.#open.at(-1);
    if (top?.kind === 'array') top.items.push(node);
    else if (top?.kind === 'object' && this.#key !== null) {
      top.members.push({ key: this.#key, value: node });
    }
    this.#key = null;
    this.#last = 'value';
  }

  /** False in any case: reading ends inside this scalar or before what it can't read. */
  #passOpenScalar(): false {
    if (isOpenScalar(this.#text, this.#at)) this.#at = this.#text.length;
    return false;
  }

  /** Everything still open is cut here. The outermost and the innermost get a tail of their own. */
  #closeAllCut(): void {
    const last = this.#open.at(-1);
    if (this.#key !== null && last !== undefined) {
      this.#elide(last, this.#keyText(this.#key), 'tail', this.#nothing());
    }
    for (const [depth, node] of this.#open.entries()) {
      node.end = this.#at;
      if (depth < MOST_TAILS || node === last) this.#elide(node, null, 'tail', this.#nothing());
    }
    if (!this.#atEnd()) this.#problem(this.#at, 'Text that is neither JSON nor a known marker.');
    this.#open.length = 0;
  }

  #elide(
    target: JsonNode,
    key: string | null,
    kind: ElisionKind,
    marker: CutMarker,
    start = Math.min(this.#at, marker.end),
  ): void {
    this.elisions.push({ target, key, kind, count: marker.count, start, end: marker.end });
  }

  #nothing(): CutMarker {
    return { end: this.#at, unit: 'unknown', count: null };
  }

  #keyText(key: JsonString): string {
    return stringValue(this.#text, key);
  }

  #atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #problem(offset: number, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ offset, message });
  }

  #skipSpace(): void {
    for (; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) continue;
      if (!OTHER_SPACE.has(code)) return;
      this.#problem(this.#at, 'White space that JSON does not know.');
    }
  }
}

const OTHER_SPACE = new Set([0x0b, 0x0c, 0xa0, 0x200b, 0x2028, 0x2029, 0x202f, 0xfeff]);
