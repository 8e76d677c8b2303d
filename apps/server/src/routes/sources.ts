import { createReadStream } from 'node:fs';
import { MisstepError } from '@misstep/model';
import type { Services } from '../compose.ts';
import { Download, type Handlers } from './handler.ts';

export function sourceHandlers({
  steps,
  store,
  sourceFormats,
}: Services): Pick<
  Handlers,
  'getSourceWindow' | 'getSourceFormats' | 'readSourceAs' | 'exportSource'
> {
  return {
    getSourceWindow: ({ params, query }) =>
      steps.sourceWindow(params.sha256, query.offset, query.length),
    getSourceFormats: ({ params }) => sourceFormats.scores(params.sha256),
    readSourceAs: ({ params, body }) => sourceFormats.readAs(params.sha256, body.format),
    async exportSource({ params: { sha256 } }) {
      const source = await store.findSource(sha256);
      if (source === null) {
        throw new MisstepError('SOURCE_NOT_FOUND', `There is no source ${sha256}.`);
      }
      const path = await store.sourcePath(sha256);
      return new Download(source.name, source.sizeBytes, () => createReadStream(path));
    },
  };
}
