import { type ListedTool, type McpConnection, wordRpcError } from '@misstep/mcp';
import { fail, ok, type Result } from '@misstep/model';

const MOST_PAGES = 100;

/**
 * Every tool that the server lists, page by page, or none: a list that doesn't end, or whose cursor
 * leads back to a page that was there, can't be known whole, so it must not pass for that. The
 * error is half a sentence.
 */
export async function readWholeToolList(
  connection: McpConnection,
): Promise<Result<readonly ListedTool[], string>> {
  const tools: ListedTool[] = [];
  const cursors = new Set<string>();
  let cursor: string | null = null;
  for (let pages = 1; pages <= MOST_PAGES; pages += 1) {
    const answer = await connection.listTools(cursor);
    if (answer.kind === 'error') {
      return fail(wordRpcError(answer.answer.frame));
    }
    const { page } = answer;
    if (!page.isToolList) return fail('it holds no list of tools.');
    for (const tool of page.tools) tools.push(tool);
    cursor = page.nextCursor;
    if (cursor === null) return ok(tools);
    if (cursors.has(cursor)) {
      return fail(
        `page ${pages} names a cursor again that an earlier page named, so the list has no end; ${cameWords(tools.length)}.`,
      );
    }
    cursors.add(cursor);
  }
  return fail(
    `it goes on after ${MOST_PAGES} pages, which are the most that are read; ${cameWords(tools.length)}.`,
  );
}

function cameWords(count: number): string {
  return count === 1 ? '1 tool came' : `${count} tools came`;
}
