import { readdir, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { MisstepError } from '@misstep/model';
import type { Place } from '../find-service.ts';
import type { Surroundings } from './resolve-folder.ts';

/** Folders that a person typed and looked at; the oldest gives way. */
const MOST_TYPED = 50;
/** Names that are offered while a path is typed. */
const MOST_OFFERED = 50;

/** Folders by what a person typed, for as long as this process runs (docs/decisions/0113). */
export class TypedFolders {
  readonly #surroundings: Surroundings;
  readonly #places = new Map<string, Place>();
  #count = 0;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  find(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /** Gives a folder an id, by which it can be imported and followed. REQUEST_INVALID, NOT_FOUND. */
  async add(typed: string): Promise<Place> {
    const path = this.#resolve(typed);
    const isFolder = await stat(path).then(
      (kind) => kind.isDirectory(),
      () => false,
    );
    if (!isFolder) {
      throw new MisstepError(
        'NOT_FOUND',
        `${path} is no folder that can be opened.`,
        { path },
        { hint: 'Check the path: what is offered while you type is there.' },
      );
    }
    const known = [...this.#places.values()].find((each) => each.path === path);
    if (known !== undefined) return known;
    this.#count += 1;
    const place = { id: `typed~${this.#count}`, client: path, path, isRecording: () => true };
    this.#places.set(place.id, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MOST_TYPED && oldest !== undefined) this.#places.delete(oldest);
    return place;
  }

  /** Folders whose paths begin as what was typed, those that hide behind a dot last. */
  async offer(typed: string): Promise<{ folders: string[]; omitted: number }> {
    const { platform, home } = this.#surroundings;
    const path = platform === 'win32' ? win32 : posix;
    const whole = expand(typed === '' ? `~${path.sep}` : typed, home);
    if (!path.isAbsolute(whole) || whole.includes('\0')) return { folders: [], omitted: 0 };
    const isInside = whole.endsWith(path.sep) || whole.endsWith('/');
    const parent = isInside ? whole : path.dirname(whole);
    const begun = isInside ? '' : path.basename(whole).toLowerCase();
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
    const names = entries
      .filter((entry) => entry.isDirectory() && entry.name.toLowerCase().startsWith(begun))
      .map(({ name }) => name)
      .sort((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || (a < b ? -1 : 1));
    const shown = names.slice(0, MOST_OFFERED);
    return {
      folders: shown.map((name) => path.join(parent, name)),
      omitted: names.length - shown.length,
    };
  }

  #resolve(typed: string): string {
    const { platform, home } = this.#surroundings;
    const path = platform === 'win32' ? win32 : posix;
    const whole = expand(typed.trim(), home);
    if (!path.isAbsolute(whole) || whole.includes('\0')) {
      throw new MisstepError('REQUEST_INVALID', 'path: a whole path, from the root or from ~.', {
        field: 'path',
      });
    }
    const normal = path.normalize(whole);
    // A folder is the same with and without what stands at its end.
    const isRoot = path.parse(normal).root === normal;
    return !isRoot && normal.endsWith(path.sep) ? normal.slice(0, -1) : normal;
  }
}

function expand(typed: string, home: string): string {
  return typed === '~' || /^~[/\\]/.test(typed) ? `${home}${typed.slice(1)}` : typed;
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}
