import { posix } from 'node:path'

import type { ProjectEngine } from '@texproof/platex'

import { ENGINE_OF_PROGRAM } from './choose-engine.ts'

/** Build settings of a submission to arXiv. */
export interface ArxivReadme {
  /** The sources to build, in order. */
  readonly roots: readonly string[]
  /** Null if it states none, or one that is unknown here. */
  readonly engine: ProjectEngine | null
}

/** Reads the settings of a submission. Settings that are not as documented are ignored, as arXiv checks them itself. */
export function parseArxivReadme(source: string): ArxivReadme {
  const { process, sources } = recordOf(parseJson(source))
  const { compiler } = recordOf(process)
  const roots = (Array.isArray(sources) ? sources : []).flatMap((entry) => {
    const { filename, usage } = recordOf(entry)
    return usage === 'toplevel' && typeof filename === 'string' ? [posix.normalize(filename)] : []
  })
  const program = typeof compiler === 'string' ? compiler.replace('_', '') : ''
  return { roots: [...new Set(roots)], engine: ENGINE_OF_PROGRAM.get(program) ?? null }
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
