import { type ListedTool, type McpConnection, wordRpcError } from '@misstep/mcp';
import { fail, ok, type Result } from '@misstep/model';

const MOST_PAGES = 100;

/**
 * Every tool that the server lists, page by page. Ends at a cursor that was there before, so that
 * a server whose cursor never moves on can't keep us asking. The error is half a sentence.
 */
export async function readWholeToolList(
  connection: McpConnection,
): Promise<Result<readonly ListedTool[], string>> {
  const tools: ListedTool[] = [];
  const cursors = new Set<string>();
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const answer = await connection.listTools(cursor);
    if (answer.kind === 'error') {
      return fail(wordRpcError(answer.answer.frame));
    }
    const { page } = answer;
    if (!page.isToolList) return fail('it holds no list of tools.');
    tools.push(...page.tools);
    if (page.nextCursor === null || cursors.has(page.nextCursor)) break;
    cursor = page.nextCursor;
    cursors.add(cursor);
  }
  return ok(tools);
}
