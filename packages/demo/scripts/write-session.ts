import { member, nodeText, parseJson } from '@misstep/json';
import type { RecordedAct } from './recording.ts';

const SESSION = '5f0c2a7e-31d4-4b1e-9a57-0c4de7715a11';
const MODEL = 'claude-sonnet-4-5-20250929';

/** The run as a coding agent's session file would have kept it. */
export function writeSession(
  acts: readonly RecordedAct[],
  isoTime: (atNs: bigint) => string,
): string {
  const lines: string[] = [
    `{"type":"ai-title","aiTitle":"Hollow Farm: how many orders since Tuesday","sessionId":"${SESSION}"}`,
  ];
  let parent: string | null = null;
  let counter = 0;
  const uuid = () => `${(++counter).toString(16).padStart(8, '0')}-7b1d-4e0a-8c11-6a2f00000000`;
  const push = (
    type: 'user' | 'assistant',
    atNs: bigint,
    body: string,
    link: string | null = parent,
  ): string => {
    const id = uuid();
    lines.push(
      `{"parentUuid":${JSON.stringify(link)},"isSidechain":false,"userType":"external","cwd":"/srv/fennel-street","sessionId":"${SESSION}","version":"2.1.39","gitBranch":"main","type":"${type}",${body},"uuid":"${id}","timestamp":"${isoTime(atNs)}"}`,
    );
    parent = id;
    return id;
  };
  let message = 0;
  let context = 1480;
  for (const [index, { act, atNs, answers }] of acts.entries()) {
    if (act.kind === 'user') {
      push('user', atNs, `"message":{"role":"user","content":${JSON.stringify(act.text)}}`);
    } else if (act.kind === 'model') {
      message += 1;
      const next = acts[index + 1]?.act.kind === 'calls' ? 'tool_use' : 'end_turn';
      push(
        'assistant',
        atNs,
        assistant(message, `{"type":"text","text":${JSON.stringify(act.text)}}`, next, context, 4),
      );
    } else {
      const links = act.calls.map((call, order) => {
        const block = `{"type":"tool_use","id":"toolu_0${message}${order}","name":"mcp__seeds__${call.tool}","input":${call.argumentsText}}`;
        return push(
          'assistant',
          atNs,
          assistant(message, block, 'tool_use', context, 60 + 17 * order),
        );
      });
      for (const [order, answer] of answers.entries()) {
        const content = contentOf(answer.resultText);
        context += Math.ceil(content.length / 4);
        const body = `"message":{"role":"user","content":[{"tool_use_id":"toolu_0${message}${order}","type":"tool_result","content":${content}}]},"toolUseResult":${content},"sourceToolAssistantUUID":"${links[order]}"`;
        push('user', answer.atNs, body, links[order] ?? null);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

function assistant(
  message: number,
  block: string,
  stop: string,
  context: number,
  output: number,
): string {
  return `"requestId":"req_${message}","message":{"id":"msg_${message}","type":"message","role":"assistant","model":"${MODEL}","content":[${block}],"stop_reason":"${stop}","stop_sequence":null,"usage":{"input_tokens":6,"cache_creation_input_tokens":212,"cache_read_input_tokens":${context},"output_tokens":${output}}}`;
}

/** The exact text of the result's content blocks. */
function contentOf(resultText: string): string {
  const parsed = parseJson(resultText);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const content = member(parsed.value, parsed.value.root, 'content');
  if (content === undefined) throw new Error('the demo server answered without content');
  return nodeText(parsed.value, content);
}
