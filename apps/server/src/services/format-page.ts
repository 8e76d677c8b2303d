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
  return {
    format: { id, title, evidence },
    page: await readFile(new URL(`${id}.md`, PAGES), 'utf8'),
  };
}
