import { posix } from 'node:path'

import type { ProjectEngine } from '@texproof/platex'

import { ARXIV_README, ENGINE_OF_PROGRAM } from './choose-engine.ts'

/** The files with the settings, in order of priority. The second one is from older submissions. */
export const ARXIV_READMES: readonly string[] = [ARXIV_README, '00README.XXX']

/** Build settings of a submission to arXiv. */
export interface ArxivReadme {
  /** Name of the file. */
  readonly name: string
  /** The sources to build, in order. */
  readonly roots: readonly string[]
  /** Sources that are not built on their own. */
  readonly excluded: readonly string[]
  /** Null if it states none, or one that is unknown here. */
  readonly engine: ProjectEngine | null
}

/** Reads the settings of a submission. Settings that are not as documented are ignored, as arXiv checks them itself. */
export function parseArxivReadme(name: string, source: string): ArxivReadme {
  return { name, ...(name === ARXIV_README ? parseRecord(source) : parseLines(source)) }
}

/** Each line has the name of a file and its use, as in `ms.tex toplevelfile`. */
function parseLines(source: string): Omit<ArxivReadme, 'name'> {
  const uses = source.split('\n').flatMap((line) => {
    const [filename, usage] = line.trim().split(/\s+/)
    return filename === undefined || usage === undefined ? [] : [{ filename, usage }]
  })
  return { ...sortUses(uses, 'toplevelfile'), engine: null }
}

function parseRecord(source: string): Omit<ArxivReadme, 'name'> {
  const { process, sources } = recordOf(parseJson(source))
  const { compiler } = recordOf(process)
  const uses = (Array.isArray(sources) ? sources : []).flatMap((entry) => {
    const { filename, usage } = recordOf(entry)
    return typeof filename === 'string' && typeof usage === 'string' ? [{ filename, usage }] : []
  })
  const program = typeof compiler === 'string' ? compiler.replace('_', '') : ''
  return { ...sortUses(uses, 'toplevel'), engine: ENGINE_OF_PROGRAM.get(program) ?? null }
}

interface Use {
  readonly filename: string
  readonly usage: string
}

/** `root`: the usage of a source to build. Included and ignored ones are not built. */
function sortUses(uses: readonly Use[], root: string): Pick<ArxivReadme, 'roots' | 'excluded'> {
  const listUsedAs = (...usages: readonly string[]) => [
    ...new Set(uses.filter(({ usage }) => usages.includes(usage)).map(({ filename }) => posix.normalize(filename))),
  ]
  return { roots: listUsedAs(root), excluded: listUsedAs('ignore', 'include') }
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return null // Not JSON: it states nothing.
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
