/** Files as people choose or drop them, alone or within folders: each with its path from there. */

export interface ChosenFile {
  file: File;
  path: string;
}

/** What an input has chosen, of files or of a folder. */
export const chosenFiles = (files: Iterable<File>): ChosenFile[] =>
  [...files].filter(isMeant).map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/** What was dropped, without what no one means: hidden files, and those that systems leave in folders. */
export async function droppedFiles(
  files: File[],
  folders: FileSystemDirectoryEntry[],
  most: number,
): Promise<ChosenFile[]> {
  const names = new Set(folders.map(({ name }) => name));
  const found = chosenFiles(files.filter(({ name }) => !names.has(name)));
  for (const folder of folders) await walk(folder, found, most);
  return found;
}

const isMeant = ({ name }: { name: string }) => !/^\.|^~\$|^(thumbs\.db|desktop\.ini)$/i.test(name);

/** Someone may drop their whole disk: one more than the most is enough to say that there are too many. */
async function walk(folder: FileSystemDirectoryEntry, found: ChosenFile[], most: number): Promise<void> {
  const reader = folder.createReader();
  while (found.length <= most) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries.filter(isMeant)) {
      if (found.length > most) return;
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, found, most);
      else found.push({ file: await fileOf(entry as FileSystemFileEntry), path: entry.fullPath.slice(1) });
    }
  }
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));
