import { posix } from 'node:path'
import { SUPPLEMENT_VARIABLE } from '../../sandbox/confined-environment.ts'
import { jobPathsOf, toWorkspacePath } from '../job-paths.ts'
import { findLatexmkrc, type Latexmkrc, type ProjectFiles } from './find-latexmkrc.ts'
import { parseLatexmkPaths, PATH_VARIABLES, type PathEntry, type PathVariable } from './parse-latexmk-paths.ts'

/** Folders that a project adds to a search path, relative to the folder of the root file; `//` = with subfolders. */
export type SearchPaths = Readonly<Record<PathVariable, readonly string[]>>

/** The search paths of a project without a latexmkrc. */
export const NO_SEARCH_PATHS: SearchPaths = { TEXINPUTS: [], BIBINPUTS: [], BSTINPUTS: [], INDEXSTYLE: [] }

const MAX_FOLDERS = 30
/** Kpathsea expands these, or takes them for the end of a name. */
const SPECIAL = /[$~{},:;%!"'\\]|\/\//

const known = new WeakMap<ProjectFiles, Map<string, SearchPaths>>()

/**
 * The search paths that the latexmkrc of a project sets: the one beside the root file, otherwise the one in the
 * root folder. A latexmkrc that sets none is skipped.
 *
 * latexmk runs in the folder of its file, and documents may be written to run there too: names are relative to that folder
 * or to the folder of the root file. Only folders of the project count, so that no path leaves it.
 */
export function searchPathsOf(files: ProjectFiles, rootFile: string): SearchPaths {
  const ofFiles = known.get(files) ?? new Map<string, SearchPaths>()
  known.set(files, ofFiles)
  const found = ofFiles.get(rootFile) ?? readSearchPaths(files, rootFile)
  ofFiles.set(rootFile, found)
  return found
}

/** The latexmkrc that sets the search paths of a document; null if none does. */
export function findSearchSettings(files: ProjectFiles, rootFile: string): string | null {
  return findPathSettings(files, rootFile)?.path ?? null
}

function readSearchPaths(files: ProjectFiles, rootFile: string): SearchPaths {
  const { folder } = jobPathsOf(rootFile)
  const found = findPathSettings(files, rootFile)
  if (found === null) return NO_SEARCH_PATHS
  const paths: Record<PathVariable, string[]> = { TEXINPUTS: [], BIBINPUTS: [], BSTINPUTS: [], INDEXSTYLE: [] }
  const bases = new Set([found.folder, folder])
  const names = [...files.keys()]
  for (const { variable, path } of found.settings)
    for (const base of bases) {
      const entry = entryOf(path, { base, folder, names })
      if (entry !== null && !paths[variable].includes(entry) && paths[variable].length < MAX_FOLDERS)
        paths[variable].push(entry)
    }
  return paths
}

function findPathSettings(files: ProjectFiles, rootFile: string): Latexmkrc<readonly PathEntry[]> | null {
  return findLatexmkrc(files, rootFile, (source) => {
    const entries = parseLatexmkPaths(source)
    return entries.length === 0 ? null : entries
  })
}

/** A folder of the project as an entry of a search path; null for any other. A variable stands for the base. */
function entryOf(
  path: string,
  { base, folder, names }: { readonly base: string; readonly folder: string; readonly names: readonly string[] },
): string | null {
  const written = path.replace(/^\$(?:\w{1,100}(?:\{[^{}]{0,100}\})?|\{\w{1,100}\})(?=\/)/, '.')
  const plain = written.replace(/\/{1,9}$/, '') || '.'
  if (SPECIAL.test(plain) || posix.isAbsolute(plain)) return null
  const target = posix.join(base, plain)
  const isFolder = target === '.' || names.some((name) => name.startsWith(`${target}/`))
  if (!isFolder) return null
  const name = posix.relative(folder, target) || '.'
  return written.endsWith('//') ? `${name}//` : name
}

/**
 * The file that a program reads for a name: beside the root file, otherwise in the folders of the search path;
 * workspace-relative. Null if the name leaves the workspace.
 */
export function locate(
  name: string,
  place: { readonly folder: string; readonly entries: readonly string[]; readonly givenFiles: ReadonlySet<string> },
): string | null {
  const { folder, entries, givenFiles } = place
  const direct = toWorkspacePath(name, folder)
  if (direct !== null && givenFiles.has(direct)) return direct
  const found = entries.map((entry) => findBelow(posix.join(folder, entry), { name, givenFiles }))
  return found.find((path) => path !== undefined) ?? direct
}

/** `start` may end in a slash, which stands for all folders below it. */
function findBelow(
  start: string,
  { name, givenFiles }: { readonly name: string; readonly givenFiles: ReadonlySet<string> },
): string | undefined {
  const direct = posix.join(start, name)
  if (givenFiles.has(direct)) return direct
  if (!start.endsWith('/')) return undefined
  const top = start === './' ? '' : start
  return [...givenFiles].find((path) => path.startsWith(top) && path.endsWith(`/${name}`))
}

/** Environment variables for the programs of a document. The final colon stands for the default path. */
export function searchEnvironment(paths: SearchPaths): Readonly<Record<string, string>> {
  const set = PATH_VARIABLES.filter((variable) => paths[variable].length > 0)
  return Object.fromEntries(
    set.map((variable) => {
      const supplement = variable === 'TEXINPUTS' ? [`$${SUPPLEMENT_VARIABLE}`] : []
      return [variable, ['.', ...paths[variable], ...supplement, ''].join(':')]
    }),
  )
}
