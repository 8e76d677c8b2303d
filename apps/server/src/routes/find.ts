import { MisstepError } from '@misstep/model';
import type { Services } from '../compose.ts';
import { inputOf } from '../services/follow/read-changed.ts';
import type { Handlers } from './handler.ts';

type FindRoute =
  | 'listFound'
  | 'lookAtFolder'
  | 'offerFolders'
  | 'importFound'
  | 'listFollowed'
  | 'followFolder'
  | 'unfollowFolder';

export function findHandlers({ finder, follows, imports }: Services): Pick<Handlers, FindRoute> {
  return {
    listFound: async () => ({ folders: await finder.find() }),
    lookAtFolder: async ({ body }) => ({ folder: await finder.look(body.path) }),
    offerFolders: ({ body }) => finder.offer(body.path),
    importFound: async ({ body }) => {
      const { ids, since = null } = body;
      const files = await finder.filesOf(ids, since === null ? null : Date.parse(since));
      if (files.length === 0) {
        const hint = 'Look for recordings anew, choose another folder, or an earlier time.';
        throw new MisstepError(
          'IMPORT_UNREADABLE',
          `There is no recording in ${ids.map((id) => finder.placeOf(id).path).join(', ')}.`,
          { ids },
          { hint },
        );
      }
      const clients = [...new Set(ids.map((id) => finder.placeOf(id).client))];
      return imports.beginFiles(clients.join(', '), files.map(inputOf));
    },
    listFollowed: () => follows.list(),
    followFolder: ({ body }) => {
      const path = finder.typedPath(body.foundId);
      // An id that is given to a typed folder ends with this process; what is followed is not.
      return follows.follow(path === null ? { foundId: body.foundId } : { path }, body.existing);
    },
    unfollowFolder: async ({ params }) => ({
      wasFollowed: await follows.unfollow(params.followId),
    }),
  };
}
