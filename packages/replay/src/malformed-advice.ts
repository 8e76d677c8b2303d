/** What the server has to do, by what is wrong with its frame. */
export function adviceOnMalformed(remark: string): string {
  if (/found "?-?(?:NaN|nan|Infinity|inf)\b/.test(remark)) {
    return 'JSON has neither NaN nor Infinity: the server must write null, or a text.';
  }
  if (remark.includes('ended inside')) {
    return 'Check that before you send it again. The server must end each event with an empty line, and give it an id where it is to be resumed.';
  }
  return 'The server must write each message as one JSON text, by a serialiser and not by hand.';
}
