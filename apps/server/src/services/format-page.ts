import { readFile } from 'node:fs/promises';
import type { FormatInfo } from '@misstep/contract';
import { importerById } from '@misstep/importers';
import { MisstepError } from '@misstep/model';

/** The pages stand beside the code that they describe, in source trees and builds alike. */
const PAGES = new URL('../../../../docs/formats/', import.meta.url);

/** What to do where somebody names a format that isn't there. */
export const FORMATS_ARE = { hint: 'The formats are on the page Formats and in docs/formats.' };

/** A format with its page (Markdown). NOT_FOUND where there is no such format. */
export async function readFormatPage(
  formatId: string,
): Promise<{ format: FormatInfo; page: string }> {
  const importer = importerById(formatId);
  if (importer === null)
    throw new MisstepError('NOT_FOUND', `There is no format "${formatId}".`, {}, FORMATS_ARE);
  const { id, title, evidence } = importer;
  const [page = '', shared = ''] = await Promise.all(
    [`${id}.md`, 'README.md'].map((name) => readFile(new URL(name, PAGES), 'utf8')),
  );
  return { format: { id, title, evidence }, page: withSharedCodes(page, shared) };
}

const SAYS = '\n## What Misstep says\n';
const ROW = /^\| `([A-Z][A-Z0-9_]+)`.*\|$/gm;

/**
 * Codes that several formats share are explained once, in the README, and only named on a page. Whoever reads
 * the page by itself gets their rows as well.
 */
export function withSharedCodes(page: string, readme: string): string {
  const begin = page.indexOf(SAYS);
  if (begin < 0) return page;
  const end = page.indexOf('\n## ', begin + SAYS.length);
  const says = page.slice(begin, end < 0 ? page.length : end).trimEnd();
  const told = new Set([...says.matchAll(ROW)].map(([, code]) => code));
  const rows = [...readme.matchAll(ROW)]
    .filter(([, code]) => !told.has(code) && says.includes(`\`${code}\``))
    .map(([row]) => row);
  if (rows.length === 0) return page;
  const table = ['| code | meaning | what to do |', '|---|---|---|', ...rows].join('\n');
  return `${page.slice(0, begin)}${says}\n\n${table}\n${end < 0 ? '' : page.slice(end)}`;
}
