/** Tools that models without tool calls name by a tag in their text. */
const TOOL_TAGS =
  'access_mcp_resource apply_diff ask_followup_question attempt_completion browser_action codebase_search execute_command fetch_instructions insert_content list_code_definition_names list_files new_task plan_mode_respond read_file replace_in_file search_and_replace search_files switch_mode update_todo_list use_mcp_tool web_fetch write_to_file';
const OPENING = new RegExp(`<(${TOOL_TAGS.replaceAll(' ', '|')})>`);

export interface ToolTag {
  readonly server: string | null;
  readonly tool: string;
  /** The arguments of an MCP tool, or what stands between the tags. */
  readonly argumentText: string;
}

/** The call in a model's text; null where there is none or it was never closed. */
export function toolTagIn(text: string): ToolTag | null {
  const match = OPENING.exec(text);
  if (match === null) return null;
  const [opening, name = ''] = match;
  const from = match.index + opening.length;
  const end = text.lastIndexOf(`</${name}>`);
  if (end < from) return null;
  const inner = text.slice(from, end).trim();
  if (name !== 'use_mcp_tool') return { server: null, tool: name, argumentText: inner };
  const inside = (key: string): string | null => {
    const begin = inner.indexOf(`<${key}>`);
    const close = inner.lastIndexOf(`</${key}>`);
    return begin < 0 || close < begin ? null : inner.slice(begin + key.length + 2, close).trim();
  };
  const tool = inside('tool_name');
  return {
    server: inside('server_name'),
    tool: tool ?? name,
    argumentText: inside('arguments') ?? '',
  };
}
