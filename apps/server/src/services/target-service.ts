import type { TargetView } from '@misstep/contract';
import {
  describeTargetAddress,
  MisstepError,
  NO_TARGET_SETTINGS,
  type Target,
  type TargetAddress,
  type TargetName,
} from '@misstep/model';
import type { Store } from '@misstep/store';

export interface TargetService {
  list(): Promise<TargetView[]>;
  /** Nothing is started, and nothing may be until it is confirmed. */
  add(name: TargetName, address: TargetAddress): Promise<TargetView>;
  /** `description` is what the person read, word for word. */
  confirm(name: TargetName, description: string, trustsReadOnlyHint: boolean): Promise<TargetView>;
  remove(name: TargetName): Promise<{ removed: boolean }>;
}

export function createTargetService(store: Store): TargetService {
  return {
    async list() {
      return (await store.listTargets()).map(viewOf);
    },
    async add(name, address) {
      if (address.transport !== 'stdio') checkUrl(address.url);
      return viewOf(await store.addTarget({ name, address, settings: NO_TARGET_SETTINGS }));
    },
    async confirm(name, description, trustsReadOnlyHint) {
      const target = await store.getTarget(name);
      if (description !== describeTargetAddress(target.address)) {
        throw new MisstepError(
          'REQUEST_INVALID',
          'description: what was confirmed is not the command or URL of this target.',
          { field: 'description' },
        );
      }
      return viewOf(await store.confirmTarget(name, trustsReadOnlyHint));
    },
    async remove(name) {
      await store.getTarget(name);
      await store.removeTarget(name);
      return { removed: true };
    },
  };
}

function viewOf(target: Target): TargetView {
  return { ...target, description: describeTargetAddress(target.address) };
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new MisstepError('REQUEST_INVALID', 'address.url: expected an http or https URL.', {
      field: 'address.url',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new MisstepError(
      'REQUEST_INVALID',
      'address.url: a user name or password in a URL would be shown and kept in the open.',
      { field: 'address.url' },
    );
  }
}
