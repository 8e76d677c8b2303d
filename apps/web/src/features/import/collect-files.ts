import type { ImportInput, NamedFile } from '../../api/imports.ts';

/** Most files that one import may hold; the rest is said, never left out in silence. */
export const MOST_FILES = 2000;

/**
 * Files of a drop, folders walked without recursion. Must be called while the drop's event is
 * handled: its entries are gone afterwards.
 */
export async function collectDropped(transfer: DataTransfer): Promise<readonly NamedFile[]> {
  const entries: FileSystemEntry[] = [];
  const loose: NamedFile[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry?.();
    if (entry) entries.push(entry);
    else {
      const file = item.getAsFile();
      if (file !== null) loose.push({ name: file.name, file });
    }
  }
  const found: NamedFile[] = loose;
  while (entries.length > 0) {
    const entry = entries.shift();
    if (entry === undefined) break;
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      found.push({ name: entry.fullPath.replace(/^\//, ''), file });
    } else if (isFolder(entry)) {
      for (const each of await readFolder(entry)) entries.push(each);
    }
  }
  return found;
}

/** Files of a file dialog; those of a folder keep their path within it. */
export function collectChosen(list: FileList): readonly NamedFile[] {
  return [...list].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** One import of what came together, named by what a person would call it. */
export function importOfFiles(files: readonly NamedFile[]): ImportInput | null {
  const [first] = files;
  if (first === undefined) return null;
  const folder = first.name.includes('/') ? first.name.split('/')[0] : undefined;
  const together =
    folder !== undefined && files.every((each) => each.name.startsWith(`${folder}/`));
  const name =
    files.length === 1
      ? first.name
      : together
        ? `${folder}/, ${files.length} files`
        : `${files.length} files`;
  return { kind: 'files', name, files };
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** A folder gives its entries in portions until an empty one. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return all;
    for (const each of portion) all.push(each);
  }
}
