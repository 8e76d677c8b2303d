import { headObject, headValues } from './head-values.ts';
import type { SourceHead } from './importer.ts';
import { field, textField } from './plain-fields.ts';

/** A file that a client writes beside its recordings and that holds no run of its own. */
export interface SideFile {
  /** The format of the recordings that it stands beside. */
  readonly format: string;
  /** What it is, to end a sentence with. */
  readonly what: string;
}

interface KnownSideFile extends SideFile {
  /** Of the path with `/`. */
  readonly path: RegExp;
  readonly holds: (head: SourceHead) => boolean;
}

const SESSION = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Known by where they stand and by what is in them: neither alone would do. */
const SIDE_FILES: readonly KnownSideFile[] = [
  {
    format: 'claude-code-jsonl',
    what: 'which kind of agent a sub-agent of Claude Code is',
    path: /(?:^|\/)agent-[^/]+\.meta\.json$/,
    holds: (head) => headObject(head)?.get('agentType') !== undefined,
  },
  {
    format: 'claude-code-jsonl',
    what: "the journal of a workflow of Claude Code, whose agents' own files hold what they did",
    path: /(?:^|\/)journal\.jsonl$/,
    holds: ({ lineValues }) => lineValues.length > 0 && lineValues.every(isOfJournal),
  },
  {
    format: 'claude-code-jsonl',
    what: "the state of a workflow of Claude Code, whose agents' own files hold what they did",
    path: /(?:^|\/)workflows\/[^/]+\.json$/,
    holds: (head) =>
      headObject(head)?.get('runId') !== undefined &&
      headObject(head)?.get('workflowName') !== undefined,
  },
  {
    format: 'claude-code-jsonl',
    what: 'the whole output of a call of Claude Code, which its session shows cut',
    path: new RegExp(`(?:^|/)${SESSION}/tool-results/[^/]+\\.(?:txt|json)$`, 'i'),
    holds: () => true,
  },
  {
    format: 'claude-code-jsonl',
    what: 'the list of sessions of a project of Claude Code',
    path: /(?:^|\/)sessions-index\.json$/,
    holds: (head) => headObject(head)?.get('entries')?.isArray === true,
  },
  {
    format: 'claude-code-jsonl',
    what: 'what Claude Code remembers of a project',
    path: /(?:^|\/)\.claude\/projects\/[^/]+\/memory\/[^/]+\.md$/,
    holds: () => true,
  },
  {
    format: 'continue-session',
    what: 'the list of sessions of Continue',
    path: /(?:^|\/)sessions\.json$/,
    holds: (head) => {
      const list = headValues(head)[0];
      const isOfList = list?.isArray === true;
      const of = ['sessionId', 'title', 'dateCreated', 'workspaceDirectory'];
      return (
        isOfList &&
        list.items.every(
          (item) =>
            of.filter((key) => item.get(key) !== undefined).length > 1 &&
            item.get('history') === undefined,
        )
      );
    },
  },
];

function isOfJournal(value: unknown): boolean {
  const type = textField(value, 'type');
  return (
    (type === 'started' || type === 'result') &&
    textField(value, 'agentId') !== null &&
    field(value, 'key') !== undefined
  );
}

/** What a file is that stands beside recordings; null where it is none of those that are known. */
export function sideFileOf(path: string, head: SourceHead): SideFile | null {
  const place = path.replaceAll('\\', '/');
  const known = SIDE_FILES.find((each) => each.path.test(place) && each.holds(head));
  return known === undefined ? null : { format: known.format, what: known.what };
}
