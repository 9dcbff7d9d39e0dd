import { readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** The files of a folder, by their path relative to it. */
export interface Source {
  /** Absolute path of the folder; the current one for standard input. */
  readonly folder: string
  /** The root file named by the user; null = to be detected. */
  readonly rootFile: string | null
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly isStandardInput: boolean
}

const maxFiles = 5_000
const maxBytes = 500 * 1024 ** 2

/**
 * Reads a `.tex` file with its folder, a folder, or standard input (`-`, always called main.tex). Hidden folders and
 * node_modules are omitted. `only` lists the files to read instead of the whole folder.
 *
 * @throws CliError 2 for a missing path, 6 for more than 5,000 files or 500 MB.
 */
export async function readSource(path: string, options: { only: readonly string[] | null }): Promise<Source> {
  if (path === '-') {
    const folder = process.cwd()
    const companions = await readNamedFiles(folder, options.only ?? [])
    const files = new Map([...companions, ['main.tex', await buffer(process.stdin)]])
    return { folder, rootFile: 'main.tex', files, isStandardInput: true }
  }
  const isFolder = (await stat(path).catch((error: unknown) => refuse(path, error))).isDirectory()
  const folder = resolve(isFolder ? path : dirname(path))
  const rootFile = isFolder ? null : basename(path)
  const named = options.only === null ? null : [...options.only, ...(isFolder ? [] : [path])]
  const files = named === null ? await readFolder(folder) : await readNamedFiles(folder, named)
  return { folder, rootFile, files, isStandardInput: false }
}

async function readNamedFiles(folder: string, paths: readonly string[]): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const path of paths) {
    const name = relative(folder, resolve(path))
    const isInside = !name.startsWith('..')
    files.set(isInside ? name : basename(path), await readFile(path).catch((error: unknown) => refuse(path, error)))
  }
  return files
}

/** @throws CliError 6 for more than 5,000 files or 500 MB. */
export async function readFolder(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  let bytes = 0
  for await (const path of walk(folder)) {
    bytes += (await stat(path)).size
    if (files.size >= maxFiles || bytes > maxBytes) throw tooLarge(folder)
    files.set(relative(folder, path), await readFile(path))
  }
  return files
}

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') yield* walk(path)
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await isPlainFile(path)))) {
      yield path
    }
  }
}

async function isPlainFile(path: string): Promise<boolean> {
  const target = await stat(path).catch(() => null) // A dangling link is skipped.
  return target?.isFile() ?? false
}

function tooLarge(folder: string): CliError {
  return new CliError(`${folder} contains more than ${maxFiles} files or ${maxBytes / 1024 ** 2} MB`, {
    exitCode: exitCodes.tooLarge,
    remedy: 'Move the document into its own directory, or pass its files: -f refs.bib figures/*.pdf',
  })
}

function refuse(path: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const reason = code === 'ENOENT' ? 'not found' : code === 'EACCES' ? 'is not readable' : 'cannot be read'
  throw new CliError(`${path} ${reason}`, { exitCode: exitCodes.usage })
}
