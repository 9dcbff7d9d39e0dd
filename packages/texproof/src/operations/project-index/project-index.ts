/**
 * The project index of the editor: labels, citations, sections, files and definitions of a branch with the drafts of a
 * user. Sources are scanned in a worker thread; the scan of a commit is cached.
 */
import { posix } from 'node:path'

import type { Parsers } from '../../base/open-parsers.ts'
import { createOutcomeCache } from '../../base/outcome-cache.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { GitStore } from '../../git/types.ts'
import { readSources } from './read-sources.ts'
import type { Citation, FileIndex, Label, Section, SourceText, scanSourceFiles } from './scan-source-file.ts'

/** Adds the file of an item. */
export type InFile<Item> = Item & { readonly path: string }

export interface ProjectIndex {
  readonly files: readonly string[]
  readonly labels: readonly InFile<Label>[]
  readonly citations: readonly InFile<Citation>[]
  /** Sections in the order of the document, across its inputs. */
  readonly sections: readonly InFile<Section>[]
  readonly commands: readonly string[]
  readonly environments: readonly string[]
  readonly packages: readonly string[]
  /** The commands of the root file that choose languages, for the spelling. */
  readonly languages: string
}

/** Input of the index. */
export interface IndexedProject {
  readonly repositoryId: number
  readonly ownerId: string
  readonly commitId: string
  /** Root file of the document; null if unknown. */
  readonly rootFile: string | null
  /** Texts by path, in place of the files of the commit. */
  readonly drafts: ReadonlyMap<string, string>
}

const SCAN = defineTask<typeof scanSourceFiles>(import.meta.resolve('./scan-source-file.ts'), 'scanSourceFiles')
const SOURCE = /\.(?:tex|ltx|sty|cls|bib|tikz)$/i
const MAX_FILES = 3_000
const MAX_SOURCES = 400
const MAX_TOTAL_BYTES = 8_000_000
const SOURCES = {
  isWanted: (path: string): boolean => SOURCE.test(path),
  maxSources: MAX_SOURCES,
  maxTotalBytes: MAX_TOTAL_BYTES,
}
const MAX_ITEMS = 5_000
const MAX_DEPTH = 20

const scans = createOutcomeCache<readonly FileIndex[]>({
  maxSize: 16_000_000,
  sizeOf: (indexes) => JSON.stringify(indexes).length,
})

/** The index of a project without files, or with too many. */
export const emptyIndex: ProjectIndex = {
  files: [],
  labels: [],
  citations: [],
  sections: [],
  commands: [],
  environments: [],
  packages: [],
  languages: '',
}

/** Indexes a project. Null if that takes too long. */
export async function findProjectIndex(
  { git, parsers }: { readonly git: GitStore; readonly parsers: Parsers },
  project: IndexedProject,
): Promise<ProjectIndex | null> {
  const { repositoryId, commitId, ownerId, drafts } = project
  const listed = await git.listFiles(repositoryId, commitId, { maxFiles: MAX_FILES })
  if (listed === null) return emptyIndex
  const key = `${repositoryId} ${commitId}`
  const [committed, drafted] = await Promise.all([
    scans.find(key, async () =>
      parsers.run(SCAN, await readSources(git, repositoryId, { listed, ...SOURCES }), { ownerId }),
    ),
    drafts.size === 0
      ? null
      : parsers.run(SCAN, [...drafts].filter(([path]) => SOURCE.test(path)).map(toSource), { ownerId }),
  ])
  if (committed.kind !== 'done' || (drafted !== null && drafted.kind !== 'done')) return null
  const indexes = new Map(committed.value.map((index) => [index.path, index]))
  for (const index of drafted?.value ?? []) indexes.set(index.path, index)
  const files = new Set([
    ...listed.filter(({ kind }) => kind !== 'submodule').map(({ path }) => path),
    ...drafts.keys(),
  ])
  return combine({ files: [...files].toSorted(), indexes }, project.rootFile)
}

function toSource([path, text]: readonly [string, string]): SourceText {
  return { path, text }
}

function combine(
  { files, indexes }: { readonly files: readonly string[]; readonly indexes: ReadonlyMap<string, FileIndex> },
  rootFile: string | null,
): ProjectIndex {
  const all = [...indexes.values()]
  const root = all.find(({ path }) => path === rootFile) ?? all.find(({ isRoot }) => isRoot) ?? null
  const inFile = <Item>(list: (index: FileIndex) => readonly Item[]): readonly InFile<Item>[] =>
    all.flatMap((index) => list(index).map((item) => ({ ...item, path: index.path }))).slice(0, MAX_ITEMS)
  const names = (list: (index: FileIndex) => readonly string[]): readonly string[] =>
    [...new Set(all.flatMap(list))].slice(0, MAX_ITEMS)
  return {
    files,
    labels: inFile(({ labels }) => labels),
    citations: inFile(({ citations }) => citations),
    sections: root === null ? inFile(({ sections }) => sections) : orderSections(indexes, root),
    commands: names(({ commands }) => commands),
    environments: names(({ environments }) => environments),
    packages: names(({ packages }) => packages),
    languages: root?.languages ?? '',
  }
}

/** Follows the inputs of the root file; each file counts once. */
function orderSections(indexes: ReadonlyMap<string, FileIndex>, root: FileIndex): readonly InFile<Section>[] {
  const folder = posix.dirname(root.path)
  const seen = new Set<string>()
  const ordered: InFile<Section>[] = []
  const visit = (index: FileIndex, depth: number): void => {
    if (seen.has(index.path) || depth > MAX_DEPTH) return
    seen.add(index.path)
    const parts = [...index.sections, ...index.inputs].toSorted((one, other) => one.line - other.line)
    for (const part of parts) {
      if ('level' in part) ordered.push({ ...part, path: index.path })
      else {
        const path = posix.join(folder, part.target)
        const input = indexes.get(path) ?? indexes.get(`${path}.tex`)
        if (input !== undefined) visit(input, depth + 1)
      }
    }
  }
  visit(root, 0)
  return ordered.slice(0, MAX_ITEMS)
}
