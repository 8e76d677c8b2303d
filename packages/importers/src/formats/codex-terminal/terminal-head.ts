/** What the first line of a block says that the block is. */
export type BlockKind =
  | { readonly type: 'user' | 'frame' | 'facts' | 'model' | 'folded' | 'compacted' | 'search' }
  | { readonly type: 'note'; readonly name: string }
  | { readonly type: 'command' | 'call'; readonly at: number; readonly isRunning: boolean }
  | { readonly type: 'edit'; readonly at: number; readonly verb: string };

const MARK = /^[ \t]?([•›▌■⚠✔✗✓✘↳])[ \t\u00a0]/;
const FRAME =
  /^\s*(?:[╭╰│─━]|\? for shortcuts|\d{1,3}% context left|(?:Token usage|To continue this session)\b)/;

/** True where a line begins a block; others go on with the one before. */
export function beginsBlock(body: string): boolean {
  // Lines of a command are drawn with a bar, indented: they are no frame.
  return MARK.test(body) || (FRAME.test(body) && !/^ {2}[│└]/.test(body)) || /^─/.test(body);
}

export function blockKind(body: string): BlockKind {
  const mark = MARK.exec(body);
  if (mark === null) {
    const isFact = /OpenAI Codex \(|^\s*│\s*model:|codex resume /.test(body);
    return FRAME.test(body) ? { type: isFact ? 'facts' : 'frame' } : { type: 'model' };
  }
  const at = mark[0].length;
  const rest = body.slice(at);
  switch (mark[1]) {
    case '›':
    case '▌':
      return { type: 'user' };
    case '•':
      return bulletKind(rest, at);
    case '■':
      return {
        type: 'note',
        name: /interrupted/i.test(rest) ? 'Interrupted by the user' : 'Client error',
      };
    case '✔':
    case '✓':
      return { type: 'note', name: 'Approved by the user' };
    case '✗':
    case '✘':
      return { type: 'note', name: 'Rejected by the user' };
    default:
      return { type: 'note', name: 'Client message' };
  }
}

function bulletKind(rest: string, at: number): BlockKind {
  const command = /^(?:(Running)|Ran|You ran) /.exec(rest);
  if (command !== null) {
    return { type: 'command', at: at + command[0].length, isRunning: command[1] !== undefined };
  }
  const call = /^(?:(Calling)|Called)(?: (?=[\w-]+\.[\w.-]+\()|\s*$)/.exec(rest);
  if (call !== null) {
    return { type: 'call', at: at + call[0].length, isRunning: call[1] !== undefined };
  }
  const edit = /^(Edited|Added|Deleted) (?=\S.{0,400} \(\+\d+ -\d+\)\s*$)/.exec(rest);
  if (edit?.[1] !== undefined) return { type: 'edit', at: at + edit[0].length, verb: edit[1] };
  if (/^Explor(?:ed|ing)\s*$/.test(rest)) return { type: 'folded' };
  if (/^Context compacted\s*$/.test(rest)) return { type: 'compacted' };
  if (/^Search(?:ed|ing) (?:the web\b|"|for\b)/.test(rest)) return { type: 'search' };
  if (/^Updated Plan\b/.test(rest)) return { type: 'note', name: 'Plan' };
  if (/^(?:Waited for|Waiting for|Working \(|Started `|Interacted with|Reviewed)/.test(rest)) {
    return { type: 'note', name: 'Client message' };
  }
  return { type: 'model' };
}
