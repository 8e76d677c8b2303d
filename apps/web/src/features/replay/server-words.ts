import { visibleLine } from '../step-panel/visible-text.ts';

/** A server's own name and version, as it gave them; null = it gave neither. */
export function serverWords(
  server: { readonly name: string | null; readonly version: string | null } | null | undefined,
): string | null {
  const { name = null, version = null } = server ?? {};
  const words = [name, version].filter((part) => part !== null).map(visibleLine);
  return words.length === 0 ? null : words.join(' ');
}
