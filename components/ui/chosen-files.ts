/** Chosen or dropped files, alone or within folders, each with its path relative to what was chosen. */

export interface ChosenFile {
  file: File;
  path: string;
}

/**
 * Returns the files chosen with an input, or within the folder chosen with it, except hidden and system
 * files.
 */
export const chosenFiles = (files: Iterable<File>): ChosenFile[] =>
  [...files].filter(isMeant).map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/**
 * Returns the dropped files and those within dropped folders, except hidden files and those that operating
 * systems leave in folders. Stops reading folders at one more than `maxFiles`.
 */
export async function droppedFiles(
  files: File[],
  folders: FileSystemDirectoryEntry[],
  maxFiles: number,
): Promise<ChosenFile[]> {
  const names = new Set(folders.map(({ name }) => name));
  const found = chosenFiles(files.filter(({ name }) => !names.has(name)));
  for (const folder of folders) await walk(folder, found, maxFiles);
  return found;
}

const isMeant = ({ name }: { name: string }) => !/^\.|^~\$|^(thumbs\.db|desktop\.ini)$/i.test(name);

/**
 * Adds the files within a folder to `found`. Someone may drop their whole disk, so it stops at one more than
 * `maxFiles`, which is enough to report that there are too many.
 */
async function walk(folder: FileSystemDirectoryEntry, found: ChosenFile[], maxFiles: number): Promise<void> {
  const reader = folder.createReader();
  while (found.length <= maxFiles) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries.filter(isMeant)) {
      if (found.length > maxFiles) return;
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, found, maxFiles);
      else found.push({ file: await fileOf(entry as FileSystemFileEntry), path: entry.fullPath.slice(1) });
    }
  }
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));
