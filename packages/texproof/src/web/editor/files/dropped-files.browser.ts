/** A file that was dropped, or is in a folder that was. */
export interface DroppedFile {
  /** Path starting with the dropped folder. */
  readonly path: string
  readonly file: File
}

/** Git does not store a folder of this name: it contains the data of git. */
const OMITTED = '.git'

/**
 * The dropped files, with those in dropped folders; at most one more than `max`. Call it during the event.
 *
 * @throws an error of the browser if a folder or a file cannot be read.
 */
export async function readDropped({ items }: DataTransfer, max: number): Promise<readonly DroppedFile[]> {
  // Browsers empty the list of items when the event ends.
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const found: DroppedFile[] = []
  const add = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (found.length > max || entry.name === OMITTED) return
    if (isFolder(entry)) for await (const inside of entriesOf(entry)) await add(inside, `${path}/${inside.name}`)
    else found.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
  }
  for (const { entry, file } of dropped)
    if (entry !== null && isFolder(entry)) await add(entry, entry.name)
    else if (file !== null) found.push({ path: file.name, file })
  return found
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader()
  for (;;) {
    // Browsers return some hundred at once, and none after the last.
    const entries = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (entries.length === 0) return
    yield* entries
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })
}
