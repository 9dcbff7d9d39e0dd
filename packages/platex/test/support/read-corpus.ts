import { readdir, readFile } from 'node:fs/promises'
import type { ProjectEngine } from '../../src/base/types.ts'

/** A corpus document: its files and its expected result. */
export interface CorpusDocument {
  readonly name: string
  readonly engine: ProjectEngine
  /** True if `npm test` compiles it; `npm run test:corpus` compiles all. */
  readonly isQuick: boolean
  /** Engine passes. */
  readonly passes: number
  /** Bibliography and index runs in order, `bibtex main.aux`. */
  readonly tools: readonly string[]
  /** Messages of errors, `[]` for a good document. */
  readonly errors: readonly string[]
  /** How the passes end. */
  readonly end: string
  readonly files: ReadonlyMap<string, Uint8Array>
}

const FOLDER = new URL('../corpus/documents/', import.meta.url)

/** All documents of a folder, by name. */
export async function readCorpus(folder: URL = FOLDER): Promise<readonly CorpusDocument[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort()
  return Promise.all(
    names.map(async (name) => parseDocument(name.slice(0, -4), await readFile(new URL(name, folder), 'utf8'))),
  )
}

/** Path of the file of a document, for the script that records expectations. */
export function corpusFile(name: string): URL {
  return new URL(`${name}.txt`, FOLDER)
}

/** Parses a head of `key: value` lines, then each file after a line `-- name --`. */
export function parseDocument(name: string, text: string): CorpusDocument {
  const [head = '', ...rest] = text.split(/^-- (.+) --\n/m)
  const fields = new Map(
    head.split('\n').map((line): [string, string] => [line.split(': ')[0] ?? '', line.replace(/^.*?: ?/, '')]),
  )
  const files = new Map<string, Uint8Array>()
  for (let index = 0; index + 1 < rest.length; index += 2) {
    files.set(rest[index] ?? '', new TextEncoder().encode(rest[index + 1]))
  }
  return {
    name,
    engine: fields.get('engine') as ProjectEngine,
    isQuick: fields.get('quick') === 'yes',
    passes: Number(fields.get('passes')),
    tools: listOf(fields.get('tools')),
    errors: listOf(fields.get('errors')),
    end: fields.get('end') ?? 'converged',
    files,
  }
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : value.split(' | ')
}
