/** Typed netstrings as mitmproxy writes them: text `;`, bytes `,`, whole numbers `#`, others `^`. */
export function tnet(value: unknown): Uint8Array {
  if (value === null) return typed('', '~');
  if (typeof value === 'string') return typed(value, ';');
  if (value instanceof Uint8Array) return typed(value, ',');
  if (typeof value === 'boolean') return typed(String(value), '!');
  if (typeof value === 'number') return typed(String(value), Number.isInteger(value) ? '#' : '^');
  if (Array.isArray(value)) return typed(Buffer.concat(value.map(tnet)), ']');
  if (typeof value !== 'object') throw new TypeError(`no netstring for ${typeof value}`);
  const pairs = Object.entries(value).flatMap(([key, item]) => [tnet(key), tnet(item)]);
  return typed(Buffer.concat(pairs), '}');
}

function typed(payload: string | Uint8Array, type: string): Uint8Array {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes, Buffer.from(type)]);
}
