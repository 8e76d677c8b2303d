import { faultsOf, type Reach, type ToolFault } from './tool-faults.ts';

export interface ToolListCheck {
  readonly toolCount: number;
  /** What a strict client would be left with. */
  readonly toolsKeptByStrict: number;
  readonly toolsKeptByLenient: number;
  /** How far the worst fault reaches; null = there is none. */
  readonly reach: Reach | null;
  /** The blast radius in words; two sentences at most. */
  readonly sentence: string;
  readonly faults: readonly ToolFault[];
}

/**
 * A whole tools/list as clients would take it. Strict ones refuse a list for one tool's sake, or
 * hand it to a model's interface that does; lenient ones keep what has a name and an inputSchema.
 * `isWhole` false = the server has more tools than these, of which nothing can be said.
 */
export function checkToolList(
  tools: readonly { readonly name: string; readonly definitionText: string }[],
  isWhole = true,
): ToolListCheck {
  const faults = tools.flatMap(({ name, definitionText }) => faultsOf(name, definitionText));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) {
      const words = 'the list has this name more than once';
      faults.push({ tool: name, kind: 'nameUnusual', reach: 'tool', pointer: '/name', words });
    }
    names.add(name);
  }
  const total = tools.length;
  const all = faults.filter(({ reach }) => reach === 'all');
  const single = new Set(faults.filter(({ reach }) => reach === 'tool').map(({ tool }) => tool));
  const unusable = new Set(
    faults
      .filter(({ kind }) => kind === 'inputSchemaMissing' || kind === 'notJson')
      .map(({ tool }) => tool),
  );
  return {
    toolCount: total,
    toolsKeptByStrict: all.length > 0 ? 0 : total - single.size,
    toolsKeptByLenient: total - unusable.size,
    reach: all.length > 0 ? 'all' : single.size > 0 ? 'tool' : faults.length > 0 ? 'rule' : null,
    sentence: isWhole
      ? sentenceOf(total, all, single, faults)
      : `Of the ${total} ${total === 1 ? 'tool' : 'tools'} that came, for the list goes on: ${sentenceOf(total, all, single, faults)}`,
    faults,
  };
}

function sentenceOf(
  total: number,
  all: readonly ToolFault[],
  single: ReadonlySet<string>,
  faults: readonly ToolFault[],
): string {
  const [first] = all;
  if (first !== undefined) {
    const others = new Set(all.map(({ tool }) => tool)).size - 1;
    const rest =
      others === 0
        ? ''
        : ` ${others === 1 ? 'One other tool has' : `${others} other tools have`} such faults too.`;
    const tools = total === 1 ? 'the only tool' : `all ${total} tools`;
    return `A strict client would drop ${tools} because of \`${first.tool}\`: ${first.words}.${rest}`;
  }
  if (single.size > 0) {
    const fault = faults.find(({ reach }) => reach === 'tool');
    return `A strict client would drop ${single.size} of ${total} tools, first \`${fault?.tool ?? ''}\`: ${fault?.words ?? ''}.`;
  }
  const [rule] = faults;
  if (rule !== undefined) {
    return `Every client would take ${total === 1 ? 'the one tool' : `all ${total} tools`}, but not every rule: in \`${rule.tool}\` ${rule.words}.`;
  }
  if (total === 0) return 'The server lists no tools.';
  return total === 1
    ? 'Every client would take the one tool.'
    : `Every client would take all ${total} tools.`;
}
