import type { Dirent, Stats } from 'node:fs'
import { readFile, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { say } from '../say.ts'

/** The files of a folder, by their path relative to it. */
export interface Source extends FolderContents {
  /** Absolute path of the folder; the current one for standard input. */
  readonly folder: string
  /** The root file named by the user; null = to be detected. */
  readonly rootFile: string | null
  readonly isStandardInput: boolean
}

interface FolderContents {
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Absolute paths of the folders in which files were looked for. */
  readonly folders: readonly string[]
  /** Files and folders that could not be read, with the reason. */
  readonly skipped: readonly string[]
}

const maxFiles = 5_000
const maxBytes = 500 * 1024 ** 2
const MOST_NAMED = 5

/**
 * Reads a `.tex` file with its folder, a folder, or standard input (`-`, always called main.tex). Hidden folders and
 * node_modules are omitted. `only` lists the files to read instead of the whole folder.
 *
 * @throws CliError 2 for a path that is missing or not readable, 6 for more than 5,000 files or 500 MB.
 */
export async function readSource(path: string, options: { only: readonly string[] | null }): Promise<Source> {
  if (path === '-') {
    const folder = process.cwd()
    const companions = await readNamedFiles(folder, options.only ?? [])
    const files = new Map([...companions.files, ['main.tex', await buffer(process.stdin)]])
    return { ...companions, folder, rootFile: 'main.tex', files, isStandardInput: true }
  }
  const isFolder = (await stat(path).catch((error: unknown) => refuse(path, error))).isDirectory()
  const folder = resolve(isFolder ? path : dirname(path))
  const rootFile = isFolder ? null : basename(path)
  const named = options.only === null ? null : [...options.only, ...(isFolder ? [] : [path])]
  const contents = named === null ? await readFolder(folder) : await readNamedFiles(folder, named)
  if (rootFile === null || contents.files.has(rootFile)) {
    return { ...contents, folder, rootFile, isStandardInput: false }
  }
  const root = await readFile(path).catch((error: unknown) => refuse(path, error))
  return {
    ...contents,
    folder,
    rootFile,
    files: new Map([...contents.files, [rootFile, root]]),
    isStandardInput: false,
  }
}

async function readNamedFiles(folder: string, paths: readonly string[]): Promise<FolderContents> {
  const files = new Map<string, Uint8Array>()
  for (const path of paths) {
    const name = relative(folder, resolve(path))
    const isInside = !name.startsWith('..')
    files.set(isInside ? name : basename(path), await readFile(path).catch((error: unknown) => refuse(path, error)))
  }
  const folders = new Set([...files.keys()].map((file) => join(folder, file, '..')))
  return { files, folders: [...folders], skipped: [] }
}

/**
 * Reads a folder. Files and folders below it that cannot be read are skipped: most belong to no document, and TeX reports
 * those that one needs as missing. Links to folders are followed as in a push, where a linked folder contains no further one.
 * They come last, and are skipped above the limits: a project may link to a large collection of data.
 *
 * @throws CliError 2 if the folder is not readable, 6 for more than 5,000 files or 500 MB without the linked folders.
 */
export async function readFolder(folder: string): Promise<FolderContents> {
  const files = new Map<string, Uint8Array>()
  const folders: string[] = []
  const skipped: string[] = []
  const skip = (path: string, error: unknown): void => {
    if (path === folder) refuse(path, error)
    const reason = explainSkipped(path, error)
    if (reason !== null) skipped.push(`${relative(folder, path)} (${reason})`)
  }
  let bytes = 0
  const readAll = async (top: string, onFolderLink: (path: string) => void): Promise<void> => {
    const found = new Map<string, Uint8Array>()
    let foundBytes = 0
    for await (const path of walk(top, { onFolder: (child) => folders.push(child), onFolderLink, onError: skip })) {
      try {
        foundBytes += (await stat(path)).size
        if (files.size + found.size >= maxFiles || bytes + foundBytes > maxBytes) throw tooLarge(folder)
        found.set(relative(folder, path), await readFile(path))
      } catch (error) {
        if (error instanceof CliError) throw error
        skip(path, error)
      }
    }
    for (const [name, contents] of found) files.set(name, contents)
    bytes += foundBytes
  }
  const links: string[] = []
  await readAll(folder, (link) => links.push(link))
  for (const link of links) {
    try {
      await readAll(link, () => {})
    } catch {
      // `readAll` throws only above the limits.
      skipped.push(`${relative(folder, link)} (too many or too large files)`)
    }
  }
  return { files, folders, skipped }
}

interface WalkEvents {
  readonly onFolder: (path: string) => void
  readonly onFolderLink: (path: string) => void
  readonly onError: (path: string, error: unknown) => void
}

async function* walk(folder: string, events: WalkEvents): AsyncGenerator<string> {
  const entries = await listEntries(folder, events)
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    const kind = entry.isSymbolicLink() ? await findLinkedKind(path) : entry
    const isOmitted = entry.name.startsWith('.') || entry.name === 'node_modules'
    if (kind?.isFile() === true) yield path
    else if (isOmitted || kind?.isDirectory() !== true) continue
    else if (entry.isSymbolicLink()) events.onFolderLink(path)
    else yield* walk(path, events)
  }
}

async function listEntries(folder: string, { onFolder, onError }: WalkEvents): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    onFolder(folder)
    return entries
  } catch (error) {
    onError(folder, error)
    return []
  }
}

/** What a link leads to; null if that is absent, or a folder that contains the link and therefore has no end. */
async function findLinkedKind(path: string): Promise<Stats | null> {
  try {
    const [target, parent] = [await realpath(path), await realpath(dirname(path))]
    return `${parent}${sep}`.startsWith(`${target}${sep}`) ? null : await stat(target)
  } catch {
    return null // A dangling link is skipped.
  }
}

/** Null for a file that has been deleted or replaced since its folder was listed, such as a temporary file. */
function explainSkipped(path: string, error: unknown): string | null {
  // Node.js cannot open such a name.
  if (path.includes('\u{FFFD}')) return 'name is not UTF-8'
  const code = codeOf(error)
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' ? null : 'cannot be read'
}

/** Tells the user which files were skipped. */
export function saySkipped({ skipped }: Source): void {
  if (skipped.length === 0) return
  const others = skipped.length > MOST_NAMED ? ` and ${skipped.length - MOST_NAMED} more` : ''
  say(`! Not read: ${skipped.slice(0, MOST_NAMED).join(', ')}${others}`)
}

function tooLarge(folder: string): CliError {
  return new CliError(`${folder} contains more than ${maxFiles} files or ${maxBytes / 1024 ** 2} MB`, {
    exitCode: exitCodes.tooLarge,
    remedy: 'Move the document into its own directory, or pass its files: -f refs.bib figures/*.pdf',
  })
}

function refuse(path: string, error: unknown): never {
  const code = codeOf(error)
  const reason = code === 'ENOENT' ? 'not found' : code === 'EACCES' ? 'is not readable' : 'cannot be read'
  throw new CliError(`${path} ${reason}`, { exitCode: exitCodes.usage })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
