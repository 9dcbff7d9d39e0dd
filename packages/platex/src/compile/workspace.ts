import { mkdir, rm, writeFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type { WorkspaceInputs } from '../sandbox/limits/limits.ts'
import { ENGINES } from '../engine/engines.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { CompileJob, ResolvedJob } from './job.ts'
import { jobPathsOf } from './job-paths.ts'
import { waitingEngineFor } from './passes/waiting-engine.ts'
import { listIncludedFiles } from './list-included-files.ts'
import { listWritten } from './readers/list-written.ts'
import { takeReader, type WaitingReader } from './readers/reader-store.ts'
import { searchPathsOf } from './latexmkrc/search-paths-of.ts'
import { toolCommandsOf } from './latexmkrc/tool-commands-of.ts'
import { viewWorkspace, type WorkspacePlace, type WorkspaceView } from './workspace-view.ts'

const TOOLS = ['bibtex', 'pbibtex', 'upbibtex', 'biber', 'makeindex', 'xindy', 'texindy', 'bib2gls']
/** The largest page size of supported processors with default kernels. */
const PAGE_BYTES = 4096

/** The temporary folder of one job. */
export interface Workspace extends WorkspaceView {
  /** Absolute path on the host. */
  readonly dir: string
  readonly sandbox: Sandbox
  /** The workspace as passed to worker threads. */
  readonly place: WorkspacePlace
  /** The engine of the first pass, if it has read the beginning of the document. */
  readonly reader: WaitingReader | null
  /** Writes or replaces a file; truncated if the document left no space. */
  replace(path: string, bytes: Uint8Array): Promise<void>
  /** Removes a file if it exists. */
  remove(path: string): Promise<void>
  /** Continues in another workspace with the same files, and removes this one. */
  moveTo(dir: string): Promise<void>
  /** Creates a folder; false if it exists, or if the document left no space or has a file in its place. */
  makeFolder(path: string): Promise<boolean>
}

/** Opens a workspace with the files of the job, and removes it in every case. */
export async function withWorkspace<T>(job: ResolvedJob, use: (workspace: Workspace) => Promise<T>): Promise<T> {
  const reader = await takeReader(job)
  const dir = reader?.workspaceDir ?? (await createWorkspaceFor(job))
  const workspace = openWorkspace(dir, { job, reader })
  try {
    if (reader === null) await fillWorkspace(dir, { job, written: listWritten(job) })
    return await use(workspace)
  } finally {
    await job.sandbox.removeWorkspace(workspace.dir)
  }
}

async function createWorkspaceFor(job: ResolvedJob): Promise<string> {
  const row = ENGINES[job.engine]
  const wanted = job.sandbox.has(row.program) ? waitingEngineFor(job, row) : null
  return job.sandbox.createWorkspace(sizeOf(listWritten(job)), { wanted })
}

/** Space for the files: whole pages, and at most one folder per path segment. */
export function sizeOf(files: ReadonlyMap<string, Uint8Array>): WorkspaceInputs {
  let bytes = 0
  let entries = 0
  for (const [path, content] of files) {
    bytes += Math.ceil(content.length / PAGE_BYTES) * PAGE_BYTES
    entries += path.split('/').length
  }
  return { bytes, entries }
}

/** Writes files into an empty workspace. */
export async function fillWorkspace(
  dir: string,
  { job, written }: { readonly job: CompileJob; readonly written: ReadonlyMap<string, Uint8Array> },
): Promise<void> {
  const included = listIncludedFiles(job.files, jobPathsOf(job.rootFile).folder)
  await makeFolders([job.rootFile, ...written.keys()], dir)
  for (const [path, bytes] of written) await writeNew(`${dir}/${path}`, bytes)
  // Last, and only where possible: a command in a comment can name anything, such as a folder `main.tex`.
  for (const folder of foldersOf(included)) {
    // An engine that reads ahead gets the root file later.
    if (`${folder}/`.startsWith(`${job.rootFile}/`)) continue
    await unlessDocumentPrevents(() => mkdir(`${dir}/${folder}`, { recursive: true }))
  }
}

/** A workspace that contains the files of a job. */
export function openWorkspace(
  firstDir: string,
  { job, reader }: { readonly job: CompileJob; readonly reader: WaitingReader | null },
): Workspace {
  const { rootFile, sandbox } = job
  const givenFiles = new Set(job.files.keys())
  const tools = new Set(TOOLS.filter((tool) => sandbox.has(tool)))
  let dir = firstDir
  const searchPaths = searchPathsOf(job.files, rootFile)
  const toolCommands = toolCommandsOf(job.files, rootFile)
  const place = (): WorkspacePlace => ({ dir, rootFile, givenFiles, tools, searchPaths, toolCommands })
  let view = viewWorkspace(place())
  return {
    ...view,
    get dir() {
      return dir
    },
    get place() {
      return place()
    },
    sandbox,
    reader,
    read: (path) => view.read(path),
    readEnds: (path, limits) => view.readEnds(path, limits),
    has: (path) => view.has(path),
    async moveTo(next) {
      const last = dir
      dir = next
      view = viewWorkspace(place())
      await sandbox.removeWorkspace(last)
    },
    async remove(path) {
      await unlessDocumentPrevents(() => rm(`${dir}/${path}`, { force: true, recursive: true }))
    },
    replace: async (path, bytes) => {
      // Removed first: writing through a link created by the document would leave the workspace.
      await unlessDocumentPrevents(async () => {
        await rm(`${dir}/${path}`, { force: true, recursive: true })
        await writeNew(`${dir}/${path}`, bytes)
      })
    },
    makeFolder: async (path) => {
      const made = await unlessDocumentPrevents(() => mkdir(`${dir}/${path}`, { recursive: true }))
      return made !== undefined
    },
  }
}

/**
 * What a document can cause: no space, no permission (only for a service that runs as an ordinary user), a file in place of a
 * folder, a folder that could not be created, and a name that is too long.
 */
const CAUSED_BY_DOCUMENT: ReadonlySet<string | undefined> = new Set([
  'ENOSPC',
  'EACCES',
  'EPERM',
  'EEXIST',
  'ENOTDIR',
  'ENOENT',
  'ENAMETOOLONG',
])

/**
 * A document can fill its file system, take away the permissions of its folders, and choose names; the program that needs the
 * file reports that.
 */
async function unlessDocumentPrevents<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (error) {
    if (CAUSED_BY_DOCUMENT.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

async function makeFolders(paths: readonly string[], dir: string): Promise<void> {
  for (const folder of foldersOf(paths)) await mkdir(`${dir}/${folder}`, { recursive: true })
}

function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.map((path) => posix.dirname(path)))
}

/** `wx`: fails on an existing file, so two spellings of a name are detected and no link is followed. */
async function writeNew(absolutePath: string, bytes: Uint8Array): Promise<void> {
  await writeFile(absolutePath, bytes, { flag: 'wx' })
}
