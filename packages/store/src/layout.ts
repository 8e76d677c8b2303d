import { join } from 'node:path';
import type { SourceHash, Ulid } from '@misstep/model';

/** Where things stand in a data folder. */
export const layout = {
  database: (dataFolder: string) => join(dataFolder, 'misstep.db'),
  secrets: (dataFolder: string) => join(dataFolder, 'secrets.json'),
  prices: (dataFolder: string) => join(dataFolder, 'prices.json'),
  sources: (dataFolder: string) => join(dataFolder, 'sources'),
  incoming: (dataFolder: string) => join(dataFolder, 'incoming'),
  replays: (dataFolder: string) => join(dataFolder, 'replays'),
  experimentFrameLog: (dataFolder: string, experimentId: Ulid) =>
    join(dataFolder, 'replays', `${experimentId}.frames`),
  targetFolder: (dataFolder: string) => join(dataFolder, 'target-folder'),
  source: (dataFolder: string, sha256: SourceHash) =>
    join(dataFolder, 'sources', sha256.slice(0, 2), sha256),
  frameLog: (dataFolder: string, replayId: Ulid) =>
    join(dataFolder, 'replays', `${replayId}.frames`),
};
