import { decodeUtf8 } from '@misstep/json';
import { checkResult, type LoggedCall, type ResultCheck } from '@misstep/replay';

/** The result held against the tool's own outputSchema; null where either was not seen. */
export function checkLoggedResult(
  { listedTools, resultBytes }: Pick<LoggedCall, 'listedTools' | 'resultBytes'>,
  tool: string,
): ResultCheck | null {
  const listed = listedTools.find(({ name }) => name === tool);
  if (listed === undefined || resultBytes === null) return null;
  return checkResult(listed.definitionText, decodeUtf8(resultBytes).text);
}
