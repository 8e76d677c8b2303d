import type { ImportInputFile } from '../src/services/import/input-files.ts';

export function fileOf(path: string, content: string | Uint8Array): ImportInputFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    path,
    async *open() {
      if (bytes.length > 0) yield bytes;
    },
  };
}

interface SessionOptions {
  readonly sessionId: string;
  readonly turns: number;
  readonly agentId?: string;
}

/** A coding agent's session of some turns, each with one tool call. */
export function sessionOf({ sessionId, turns, agentId }: SessionOptions): string {
  const lines: string[] = [];
  const common = { sessionId, isSidechain: agentId !== undefined, ...(agentId ? { agentId } : {}) };
  const prefix = agentId ?? 'main';
  let parentUuid: string | null = null;
  const add = (type: 'user' | 'assistant', second: number, message: object) => {
    const uuid = `${sessionId}-${prefix}-${lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5, 10, 0, second)).toISOString();
    lines.push(JSON.stringify({ type, uuid, parentUuid, timestamp, ...common, message }));
    parentUuid = uuid;
  };
  for (let turn = 0; turn < turns; turn += 1) {
    const id = `toolu_${prefix}_${turn}`;
    add('user', turn * 3, { role: 'user', content: `Where is parcel ${turn}?` });
    add('assistant', turn * 3 + 1, {
      role: 'assistant',
      id: `msg_${prefix}_${turn}`,
      model: 'demo-model',
      content: [{ type: 'tool_use', id, name: 'mcp__depot__find_parcel', input: { code: turn } }],
      usage: { input_tokens: 10, output_tokens: 5 },
    });
    add('user', turn * 3 + 2, {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: id, content: `parcel ${turn} is at the depot` },
      ],
    });
  }
  return `${lines.join('\n')}\n`;
}
