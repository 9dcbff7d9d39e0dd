import { posix } from 'node:path'

import { parse } from 'smol-toml'
import type { ProjectEngine } from '@texproof/platex'

import { ARXIV_README, ENGINE_OF_PROGRAM } from './choose-engine.ts'

/** The files with the settings, in order of priority. The last one is from older submissions. */
export const ARXIV_READMES: readonly string[] = [
  ARXIV_README,
  '00README.yaml',
  '00README.yml',
  '00README.toml',
  '00README.XXX',
]

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
  return { name, ...(name.endsWith('.XXX') ? parseLines(source) : readRecord(parseAs(name, source))) }
}

function parseAs(name: string, source: string): unknown {
  try {
    if (name.endsWith('.toml')) return parse(source)
    return name === ARXIV_README ? JSON.parse(source) : parseYaml(source)
  } catch {
    return null // Not of this format: it states nothing.
  }
}

/** Each line has the name of a file and its use, as in `ms.tex toplevelfile`. */
function parseLines(source: string): Omit<ArxivReadme, 'name'> {
  const uses = source.split('\n').flatMap((line) => {
    const [filename, usage] = line.trim().split(/\s+/)
    return filename === undefined || usage === undefined ? [] : [{ filename, usage }]
  })
  return { ...sortUses(uses, 'toplevelfile'), engine: null }
}

function readRecord(record: unknown): Omit<ArxivReadme, 'name'> {
  const { process, sources } = recordOf(record)
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

const YAML_SECTION = /^(\w+):\s*$/
const YAML_ITEM = /^(\s*)-\s+(.*)$/
/** A key with a plain or quoted value. Bounded repetitions: a malicious file must be parsed in linear time. */
const YAML_PAIR = /\b(\w{1,40}):\s{1,99}(?:"([^"]*)"|'([^']*)'|([^\s"'{}[\],][^,{}]*))/g

/**
 * Reads the YAML that arXiv documents: the section `process` with pairs, and the section `sources` with a list of pairs. All
 * else, such as anchors and texts over several lines, is ignored.
 */
function parseYaml(source: string): unknown {
  if (source.trimStart().startsWith('{')) return JSON.parse(source)
  const process: Record<string, string> = {}
  const sources: Record<string, string>[] = []
  let section = ''
  let indentation: string | null = null
  for (const text of source.split(/\r?\n/)) {
    const line = text.replace(/(?:^|\s)#.*$/, '')
    section = YAML_SECTION.exec(line)?.[1] ?? (/^\w/.test(line) ? '' : section)
    const item = section === 'sources' ? YAML_ITEM.exec(line) : null
    indentation ??= item?.[1] ?? null
    if (item !== null && item[1] === indentation) sources.push({})
    const pairs = Object.fromEntries(
      [...line.matchAll(YAML_PAIR)].map(([, key = '', double, single, plain]) => [
        key,
        double ?? single ?? plain?.trim() ?? '',
      ]),
    )
    if (section === 'process') Object.assign(process, pairs)
    if (section === 'sources') Object.assign(sources.at(-1) ?? {}, pairs)
  }
  return { process, sources }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
