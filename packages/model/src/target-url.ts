import { fail, ok, type Result } from './result.ts';
import { isSeen } from './unseen-characters.ts';

/**
 * The URL of a target as it is kept: normalised, so that what is read is what is called. What a
 * URL parser would drop or turn silently is refused. The error is a sentence for the person.
 */
export function readTargetUrl(text: string): Result<string, string> {
  if (!isSeen(text)) {
    return fail('It holds a character that is not seen or reorders the text; a URL has none.');
  }
  if (text.includes('\\')) return fail('It holds a backslash, which counts as another slash.');
  if (/^ | $/.test(text)) return fail('It begins or ends with a space.');
  if (!URL.canParse(text)) return fail('It is no whole URL, e.g. http://127.0.0.1:3000/mcp');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return fail(`It begins with ${url.protocol}; expected http or https.`);
  }
  if (url.username !== '' || url.password !== '') {
    return fail('A user name or password in a URL would be shown and kept in the open.');
  }
  return ok(url.href);
}
