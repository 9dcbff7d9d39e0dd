import { posix } from 'node:path'
import { readResult, readResultEnds, type FileEnds } from '../sandbox/read-result.ts'
import { jobPathsOf, type JobPaths } from './job-paths.ts'
import type { PathVariable } from './latexmkrc/parse-latexmk-paths.ts'
import type { ToolCommands } from './latexmkrc/parse-tool-commands.ts'
import { locate, type SearchPaths } from './latexmkrc/search-paths-of.ts'

/** The sandbox stops a program that writes a larger file. */
const MAX_READ_BYTES = 64 * 1024 * 1024

/** Location of a workspace as plain data, so that it can be copied to a worker thread. */
export interface WorkspacePlace {
  /** Absolute path on the host. */
  readonly dir: string
  /** Path of the root file inside the workspace. */
  readonly rootFile: string
  /** Paths of the files that came with the job; without warm-start files. */
  readonly givenFiles: ReadonlySet<string>
  /** Bibliography and index tools that are installed. */
  readonly tools: ReadonlySet<string>
  /** Folders that the project adds to the search paths. */
  readonly searchPaths: SearchPaths
  /** Commands that the project sets for Biber and for indexes. */
  readonly toolCommands: ToolCommands
}

/** The files of one compile, to read. Paths are relative to the workspace, `/` between names. */
export interface WorkspaceView extends JobPaths {
  readonly givenFiles: ReadonlySet<string>
  readonly toolCommands: ToolCommands
  /** `stem.extension` beside the root file. */
  outputPath(extension: string): string
  /** Content of a file; null if absent or not a plain file. */
  read(path: string): Promise<Uint8Array | null>
  /** Beginning and end of a file of any size; null if absent or not a plain file. */
  readEnds(path: string, limits: { headBytes: number; tailBytes: number }): Promise<FileEnds | null>
  /** True if it is a plain file. */
  has(path: string): Promise<boolean>
  /** The file that a tool reads for a name, workspace-relative; null if the name leaves the workspace. */
  locate(name: string, variable: PathVariable): string | null
  /** True if the bibliography or index tool is installed. */
  hasTool(tool: string): boolean
}

/** Opens the workspace for reading, on any thread. */
export function viewWorkspace({
  dir,
  rootFile,
  givenFiles,
  tools,
  searchPaths,
  toolCommands,
}: WorkspacePlace): WorkspaceView {
  const paths = jobPathsOf(rootFile)
  return {
    ...paths,
    givenFiles,
    toolCommands,
    outputPath: (extension) => posix.join(paths.folder, `${paths.jobName}.${extension}`),
    read: (path) => readResult(dir, path, MAX_READ_BYTES),
    readEnds: (path, limits) => readResultEnds(dir, path, limits),
    has: async (path) => (await readResultEnds(dir, path, { headBytes: 0, tailBytes: 0 })) !== null,
    locate: (name, variable) => locate(name, { folder: paths.folder, entries: searchPaths[variable], givenFiles }),
    hasTool: (tool) => tools.has(tool),
  }
}
