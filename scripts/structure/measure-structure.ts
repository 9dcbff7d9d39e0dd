import { basename, dirname, join, normalize } from 'node:path'

import { findWritingQueries } from './find-writing-queries.ts'
import { layers } from './layers.ts'
import { countTestLines, readSources } from './read-sources.ts'
import type { Source } from './read-sources.ts'

export const maxFilesInFolder = 20
const maxSmallLines = 25
/** However short, each handler, command, migration and documentation page has its own file. */
const exempt = /^packages\/texproof\/src\/(?:api\/handlers|cli|store\/migrations|docs|templates)\//
/** Code that a thread calls is in a module of its own, so that the thread loads nothing else. */
const threadModule = /import\.meta\.resolve\('(\.[^']*\.ts)'\)/g

/** The figures of `npm run structure`; arrays contain the places. */
export interface Structure {
  readonly files: number
  readonly lines: number
  readonly medianLines: number
  readonly tests: { readonly files: number; readonly lines: number }
  readonly singleImporter: number
  readonly smallSingleImporter: number
  readonly largestFolder: string
  readonly foldersTooLarge: readonly string[]
  readonly filesToMerge: readonly string[]
  readonly mutualFolders: readonly string[]
  readonly upwardImports: readonly string[]
  readonly writingQueries: readonly string[]
}

/** Counts the sources of a checkout and finds violations of the rules in docs/structure.md. */
export function measureStructure(root: string): Structure {
  const sources = readSources(root)
  const importers = findImporters(sources)
  const threadModules = findThreadModules(sources)
  const single = sources.filter(({ path }) => importers.get(path)?.length === 1)
  const folders = [...Map.groupBy(sources, ({ path }) => dirname(path))].map(([folder, { length }]) => ({
    folder,
    length,
  }))
  const bySize = folders.toSorted((a, b) => b.length - a.length).map(({ folder, length }) => `${folder}: ${length}`)
  const sizes = sources.map(({ lines }) => lines).toSorted((a, b) => a - b)
  return {
    files: sources.length,
    lines: sizes.reduce((sum, lines) => sum + lines, 0),
    medianLines: sizes[Math.floor(sizes.length / 2)] ?? 0,
    tests: countTestLines(root),
    singleImporter: single.length,
    smallSingleImporter: single.filter(({ lines }) => lines <= 40).length,
    largestFolder: bySize[0] ?? '',
    foldersTooLarge: bySize.slice(0, folders.filter(({ length }) => length > maxFilesInFolder).length),
    filesToMerge: single
      .filter((source) => isToMerge(source, importers) && !threadModules.has(source.path))
      .map(({ path, lines }) => `${path}: ${lines}`),
    mutualFolders: findMutualFolders(sources),
    upwardImports: sources.flatMap(findUpwardImports),
    writingQueries: findWritingQueries(sources),
  }
}

function findImporters(sources: readonly Source[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of sources)
    for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), path])
  return importers
}

function isToMerge({ path, lines }: Source, importers: ReadonlyMap<string, readonly string[]>): boolean {
  const [importer = ''] = importers.get(path) ?? []
  const isHandler = basename(importer) === 'routes.ts' || exempt.test(path)
  return lines < maxSmallLines && dirname(importer) === dirname(path) && !isHandler
}

/** The modules that a thread loads alone. */
function findThreadModules(sources: readonly Source[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ path, text }) =>
      [...text.matchAll(threadModule)].map(([, name = '']) => normalize(join(dirname(path), name))),
    ),
  )
}

/** Pairs of folders whose own files import each other, except a folder and one inside it. */
function findMutualFolders(sources: readonly Source[]): string[] {
  const arrows = new Set(
    sources.flatMap(({ path, imports }) => [...imports].map((imported) => `${dirname(path)} ${dirname(imported)}`)),
  )
  return [...arrows].flatMap((arrow) => {
    const [from = '', to = ''] = arrow.split(' ')
    const isNested = to.startsWith(`${from}/`)
    return from < to && !isNested && arrows.has(`${to} ${from}`) ? [`${from} and ${to}`] : []
  })
}

/** Imports from a folder of a higher layer. */
function findUpwardImports({ path, imports }: Source): string[] {
  const from = layerOf(path)
  return [...imports].flatMap((imported) => {
    const to = layerOf(imported)
    const isUpward = from !== null && to !== null && from.name === to.name && from.level < to.level
    return isUpward ? [`${path} imports ${imported}`] : []
  })
}

function layerOf(path: string): { readonly name: string; readonly level: number } | null {
  const [, name = '', folder = ''] = /^packages\/([^/]+)\/src\/([^/]+)\//.exec(path) ?? []
  const level = layers[name]?.findIndex((layer) => layer.includes(folder)) ?? -1
  return level === -1 ? null : { name, level }
}
