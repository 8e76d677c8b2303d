import { type JsonNode, member } from '@misstep/json';
import { type ReadVersion, readStructure, textBlocks, type Version } from './version.ts';

/** What is laid beside what, after both versions were brought to the same shape. */
export type Pairing =
  | {
      readonly kind: 'json';
      readonly transcript: ReadVersion;
      readonly replayed: ReadVersion;
      /** Pointer under which both roots are shown. */
      readonly base: string;
      /** Pointer in the whole result below which the rows' pointers stand. */
      readonly below: string;
      readonly readings: readonly string[];
    }
  | {
      readonly kind: 'text';
      readonly transcript: string;
      readonly replayed: string;
      readonly pointer: string;
      readonly readings: readonly string[];
    };

const CONTENT_AS_JSON = 'text content read as JSON';

/**
 * Transcripts show a result in many shapes: the whole MCP result, its content blocks, or only the
 * text in them. The live answer is always the whole result; it is opened exactly as far as the
 * transcript's version is, and every step of that is said in `readings`.
 */
export function pairVersions(transcript: Version, replayed: Version): Pairing {
  if (transcript.shape === 'envelope' || replayed.shape !== 'envelope') {
    return pairAsTheyAre(transcript, replayed);
  }
  const content = member(replayed.json?.document ?? '', rootOf(replayed), 'content');
  if (transcript.shape === 'content' && transcript.json !== null && content !== undefined) {
    return {
      kind: 'json',
      transcript: transcript.json,
      replayed: at(replayed, content),
      base: '/content',
      below: '',
      readings: ['the transcript holds the content blocks only, not isError or the rest'],
    };
  }
  return pairWithPayload(transcript, replayed, content);
}

/** The transcript shows only what stood in the text: open the live answer's text as well. */
function pairWithPayload(
  transcript: Version,
  replayed: Version,
  content: JsonNode | undefined,
): Pairing {
  const document = replayed.json?.document ?? { text: '', root: rootOf(replayed) };
  const blocks = textBlocks(document, content);
  const onlyBlock = blocks.length === 1 ? blocks[0] : undefined;
  const rest = 'the transcript shows the text content only, not isError or the rest';
  if (transcript.json !== null) {
    const inText = onlyBlock === undefined ? null : readStructure(onlyBlock.text, false);
    if (inText !== null) {
      const readings = [CONTENT_AS_JSON, rest];
      return {
        kind: 'json',
        transcript: transcript.json,
        replayed: inText,
        base: '',
        below: `/content/${onlyBlock?.index ?? 0}/text`,
        readings,
      };
    }
    const structured = member(document, rootOf(replayed), 'structuredContent');
    if (structured !== undefined) {
      const readings = ["compared with the answer's structuredContent"];
      return {
        kind: 'json',
        transcript: transcript.json,
        replayed: at(replayed, structured),
        base: '',
        below: '/structuredContent',
        readings,
      };
    }
  }
  const text = blocks.map((block) => block.text).join('\n');
  const readings =
    blocks.length > 1 ? [rest, `${blocks.length} text blocks joined by line breaks`] : [rest];
  const pointer = onlyBlock === undefined ? '/content' : `/content/${onlyBlock.index}/text`;
  return { kind: 'text', transcript: transcript.text, replayed: text, pointer, readings };
}

function pairAsTheyAre(transcript: Version, replayed: Version): Pairing {
  if (transcript.json !== null && replayed.json !== null) {
    return {
      kind: 'json',
      transcript: transcript.json,
      replayed: replayed.json,
      base: '',
      below: '',
      readings: [],
    };
  }
  return {
    kind: 'text',
    transcript: transcript.text,
    replayed: replayed.text,
    pointer: '',
    readings: [],
  };
}

function at(version: Version, root: JsonNode): ReadVersion {
  const document = version.json?.document ?? { text: version.text, root };
  return { document, root, elisions: [] };
}

function rootOf(version: Version): JsonNode {
  return version.json?.root ?? { kind: 'literal', value: null, start: 0, end: 0 };
}
