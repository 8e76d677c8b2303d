import { type JsonNode, member, nodeText } from '@misstep/json';
import type { EvidenceGrade } from '@misstep/model';
import { childPairs } from './child-pairs.ts';
import { judgeTexts } from './compare-texts.ts';
import { judgeLeaves, type NodePair, type TreeContext, treeContext } from './compare-trees.ts';
import { isSameShortTree, leafCount, mayHoldTextBlock } from './equal-trees.ts';
import { againstLive, againstWire } from './ground.ts';
import type { LeafVerdict } from './leaf.ts';
import { decode, TEXT_BLOCK } from './open-text-blocks.ts';
import { type Pairing, pairVersions } from './pairing.ts';
import type { RowSink } from './row-sink.ts';
import { pairTriples, type Triple } from './triple.ts';
import { type Found, type RowTexts, rowOf, verdictOf } from './triple-row.ts';
import { type ReadVersion, readStructure, textBlocks, type Version } from './version.ts';

export interface ThreeVersions {
  /** Null = there is none beside the wire. */
  readonly transcript: Version | null;
  readonly transcriptIsCut: boolean;
  readonly transcriptEvidence: EvidenceGrade;
  readonly wire: Version;
  readonly replayed: Version;
}

export interface ThreeWayReadings {
  readonly readings: string[];
}

/** One tree of three: the contexts of its two comparisons, without a transcript only of one. */
interface Section {
  readonly transcript: TreeContext | null;
  readonly server: TreeContext;
  readonly base: string;
  /** Where the section stands in the transcript's own version. */
  readonly transcriptBase: string;
  readonly transcriptRoot: JsonNode | null;
  /** The recorded node that the transcript's root shows; null = it shows none of this section. */
  readonly attachedTo: JsonNode | null;
  readonly mode: Triple['mode'];
}

/**
 * Lays transcript, recorded wire and live answer beside each other. The wire is in the middle: the
 * transcript is judged against it, with certainty, and so is the server of today. What the
 * transcript's form leaves out altogether (all but its text, say) is listed where the server
 * differs, and not called missing.
 */
export function compareThree(versions: ThreeVersions, sink: RowSink): ThreeWayReadings {
  return new ThreeWay(versions, sink).run();
}

class ThreeWay {
  readonly #versions: ThreeVersions;
  readonly #pairing: Pairing | null;
  readonly #sink: RowSink;
  readonly #readings: string[] = [];

  constructor(versions: ThreeVersions, sink: RowSink) {
    this.#versions = versions;
    this.#sink = sink;
    this.#pairing =
      versions.transcript === null ? null : pairVersions(versions.transcript, versions.wire);
    for (const each of this.#pairing?.readings ?? []) this.#readings.push(each);
  }

  run(): ThreeWayReadings {
    const { wire, replayed } = this.#versions;
    const pairing = this.#pairing;
    if (wire.json === null || replayed.json === null) {
      const shown =
        pairing?.kind === 'text' ? pairing.transcript : (this.#transcriptText() ?? null);
      this.#textRow('', shown, wire.text, replayed.text);
      return { readings: this.#readings };
    }
    if (pairing?.kind === 'text' && !TEXT_BLOCK.test(pairing.pointer)) {
      const { pointer, transcript, replayed: recorded } = pairing;
      this.#textRow(pointer, transcript, recorded, pointer === '' ? null : joinedText(replayed));
    }
    const inWhole = pairing?.kind === 'json' && pairing.replayed.document === wire.json.document;
    this.#walk({
      transcript: inWhole ? this.#transcriptContext(pairing.transcript, wire.json) : null,
      server: serverContext(wire.json, replayed.json),
      base: '',
      transcriptBase: '',
      transcriptRoot: inWhole ? pairing.transcript.root : null,
      attachedTo: inWhole ? pairing.replayed.root : null,
      mode: pairing === null ? 'all' : 'differing',
    });
    return { readings: this.#readings };
  }

  #transcriptText(): string | undefined {
    return this.#versions.transcript?.text;
  }

  #transcriptContext(transcript: ReadVersion, wire: ReadVersion): TreeContext {
    const { transcriptIsCut, transcriptEvidence } = this.#versions;
    return treeContext({
      transcript,
      replayed: wire,
      transcriptIsCut,
      ground: againstWire(transcriptEvidence),
    });
  }

  #walk(section: Section): void {
    const stack: Triple[] = [
      {
        parent: null,
        segments: {
          transcript: section.transcriptBase,
          wire: section.base,
          replayed: section.base,
        },
        transcript: null,
        wire: section.server.transcript.root,
        replayed: section.server.replayed.root,
        given: { transcript: null, server: null },
        mode: section.mode,
      },
    ];
    for (let triple = stack.pop(); triple !== undefined; triple = stack.pop()) {
      if (section.attachedTo !== null && triple.wire === section.attachedTo) {
        triple = { ...triple, transcript: section.transcriptRoot, mode: 'all' };
      }
      if (this.#passesAsSame(section, triple)) continue;
      const children = this.#enter(section, triple);
      for (const child of children.reverse()) stack.push(child);
    }
  }

  /** Short trees of one text in every version need no walk where nobody wants their rows. */
  #passesAsSame({ transcript: shown, server, attachedTo }: Section, triple: Triple): boolean {
    const { wire, replayed, transcript, given, segments } = triple;
    if (wire === null || replayed === null) return false;
    if (given.transcript !== null || given.server !== null) return false;
    if (mayHoldTextBlock(segments.replayed, triple.parent?.segments.replayed ?? null)) return false;
    if (!isSameShortTree(server.transcript, wire, server.replayed, replayed)) return false;
    if (transcript === null) {
      // The transcript may show a part of it alone.
      if (attachedTo !== null && wire.start <= attachedTo.start && attachedTo.end <= wire.end) {
        return false;
      }
    } else if (
      shown === null ||
      shown.transcript.elisions.length > 0 ||
      !isSameShortTree(shown.transcript, transcript, server.transcript, wire)
    ) {
      return false;
    }
    return triple.mode === 'differing' || this.#sink.passSame(leafCount(wire));
  }

  /** Adds the triple's own row, where it has one, and gives what is below it. */
  #enter(section: Section, triple: Triple): Triple[] {
    const { transcript, wire, replayed, given } = triple;
    const left = asPair(transcript, wire, given.transcript);
    const right = asPair(wire, replayed, given.server);
    const shown =
      section.transcript === null || left.given !== null || transcript === null
        ? null
        : childPairs(section.transcript, left);
    const live = right.given === null ? childPairs(section.server, right) : null;
    if (shown === null && live === null) {
      if (!this.#openText(section, triple)) this.#leaf(section, triple);
      return [];
    }
    if (shown === null || live === null) {
      this.#subtreeRow(section, triple, shown === null ? 'transcript' : 'server');
    }
    if (live !== null) this.#containerRow(triple, left, right);
    return pairTriples(triple, shown, live);
  }

  #leaf(section: Section, triple: Triple): void {
    this.#add(section, triple, {
      transcript: this.#shownVerdict(section, triple),
      server: serverVerdict(section, triple),
    });
  }

  /** A subtree that one of the two comparisons can't go into: judged as a whole there. */
  #subtreeRow(section: Section, triple: Triple, judged: 'transcript' | 'server'): void {
    if (judged === 'server') {
      this.#add(section, triple, { transcript: null, server: serverVerdict(section, triple) });
      return;
    }
    const { wire, replayed } = triple;
    const transcript = this.#shownVerdict(section, triple);
    if (transcript === null) return;
    const isSame =
      textOf(section.server.transcript, wire) === textOf(section.server.replayed, replayed);
    // Faithful to a container that the server changed since: what changed in it has its own rows.
    if (transcript.verdict === 'same' && !isSame) return;
    this.#add(section, triple, {
      transcript,
      server: isSame ? { verdict: 'same', note: null } : null,
    });
  }

  #shownVerdict(section: Section, { transcript, wire, given }: Triple): LeafVerdict | null {
    if (given.transcript !== null) return given.transcript;
    if (section.transcript === null || transcript === null || wire === null) return null;
    return judgeLeaves(section.transcript, { left: transcript, right: wire });
  }

  #add(section: Section, triple: Triple, found: Found): void {
    const { server, transcript } = section;
    this.#give(triple, found, () => ({
      transcript: textOf(transcript?.transcript ?? null, triple.transcript),
      wire: textOf(server.transcript, triple.wire),
      replayed: textOf(server.replayed, triple.replayed),
    }));
  }

  #give(triple: Triple, found: Found, texts: () => RowTexts): void {
    const verdict = verdictOf(triple, found);
    if (verdict !== null) this.#sink.add(verdict, () => rowOf(triple, texts(), found, verdict));
  }

  /** Another order of keys, a count that can't be: said of the container by either comparison. */
  #containerRow(triple: Triple, left: NodePair, right: NodePair): void {
    const shown = left.containerRow;
    const live = right.containerRow;
    if (shown === null && live === null) return;
    this.#give({ ...triple, mode: 'all' }, { transcript: shown, server: live }, () => ({
      transcript: shown?.transcript ?? null,
      wire: shown?.replayed ?? live?.transcript ?? null,
      replayed: live?.replayed ?? null,
    }));
  }

  /** Text that is JSON in the recording and now is compared by what is in it. */
  #openText(section: Section, triple: Triple): boolean {
    const { wire, replayed, transcript } = triple;
    if (wire?.kind !== 'string' || replayed?.kind !== 'string') return false;
    if (!triple.segments.replayed.endsWith('/text')) return false;
    const texts = { ...NO_TEXTS, transcript: transcript === null ? null : '' };
    const row = rowOf({ ...triple, mode: 'all' }, texts, BOTH_SAME, 'same');
    if (!TEXT_BLOCK.test(row.pointer)) return false;
    const recordedText = decode(nodeText(section.server.transcript.document, wire)) ?? '';
    const liveText = decode(nodeText(section.server.replayed.document, replayed)) ?? '';
    const pairing = this.#pairing;
    if (pairing?.kind === 'text' && pairing.pointer === row.pointer) {
      this.#textRow(row.pointer, pairing.transcript, recordedText, liveText);
      return true;
    }
    const recorded = readStructure(recordedText, false);
    const live = readStructure(liveText, false);
    const isPayload = pairing?.kind === 'json' && pairing.below === row.pointer;
    const shown = isPayload
      ? pairing.transcript
      : transcript === null
        ? null
        : readStructure(
            decode(textOf(section.transcript?.transcript ?? null, transcript) ?? '') ?? '',
            true,
          );
    if (recorded === null || live === null || (transcript !== null && shown === null)) {
      if (!isPayload) return false;
      this.#textRow(row.pointer, this.#transcriptText() ?? null, recordedText, liveText);
      return true;
    }
    this.#readings.push(`text content of ${row.pointer} read as JSON`);
    this.#walk({
      transcript: shown === null ? null : this.#transcriptContext(shown, recorded),
      server: serverContext(recorded, live),
      base: row.pointer,
      transcriptBase: isPayload ? '' : (row.pointers?.transcript ?? row.pointer),
      transcriptRoot: shown?.root ?? null,
      attachedTo: shown === null ? null : recorded.root,
      mode: triple.mode,
    });
    return true;
  }

  #textRow(pointer: string, shown: string | null, recorded: string, live: string | null): void {
    const { transcriptIsCut, transcriptEvidence } = this.#versions;
    this.#give(
      {
        parent: null,
        segments: { transcript: '', wire: pointer, replayed: pointer },
        transcript: null,
        wire: null,
        replayed: null,
        given: { transcript: null, server: null },
        mode: 'all',
      },
      {
        transcript:
          shown === null
            ? null
            : judgeTexts(shown, recorded, transcriptIsCut, againstWire(transcriptEvidence)),
        server: live === null ? null : judgeTexts(recorded, live, false, againstLive('wire')),
      },
      () => ({ transcript: shown, wire: recorded, replayed: live }),
    );
  }
}

const NO_TEXTS = { transcript: null, wire: null, replayed: null } as const;
const BOTH_SAME = { transcript: null, server: { verdict: 'same', note: null } } as const;

function serverContext(transcript: ReadVersion, replayed: ReadVersion): TreeContext {
  return treeContext({ transcript, replayed, transcriptIsCut: false, ground: againstLive('wire') });
}

function serverVerdict(section: Section, { wire, replayed, given }: Triple): LeafVerdict | null {
  if (given.server !== null) return given.server;
  if (wire === null || replayed === null) return null;
  return judgeLeaves(section.server, { left: wire, right: replayed });
}

function asPair(
  left: JsonNode | null,
  right: JsonNode | null,
  given: LeafVerdict | null,
): NodePair {
  return { parent: null, segment: '', leftSegment: '', left, right, given, containerRow: null };
}

function textOf(version: ReadVersion | null, node: JsonNode | null): string | null {
  return version === null || node === null ? null : nodeText(version.document, node);
}

/** Every text block of an answer, joined as the transcript's version is compared with. */
function joinedText(replayed: Version): string | null {
  const { json } = replayed;
  if (json === null) return null;
  const blocks = textBlocks(json.document, member(json.document, json.root, 'content'));
  return blocks.map((block) => block.text).join('\n');
}
