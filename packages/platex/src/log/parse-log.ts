import { Buffer } from 'node:buffer'
import { parseBibliographyLog } from './bibliography/parse-bibliography-log.ts'
import { parseEngineLog } from './parse-engine-log.ts'
import type { Diagnostics } from './types.ts'
import type { ProjectEngine } from '../base/types.ts'

export interface ParseLogOptions {
  /** The program that wrote the log. @default detected from its first lines */
  readonly tool?: ProjectEngine | 'bibtex' | 'biber'
  /** Path of the root file. @default the first file that the log opens */
  readonly rootFile?: string
  /** The sources, relative path → text: used to check and find lines. @default none */
  readonly sources?: ReadonlyMap<string, string>
  /** Content of the `.fls` of the same run: makes file names exact. @default none */
  readonly recorder?: string
  /** Folder of the run, removed from file names. @default the folder of the root file, if the log contains it */
  readonly workspacePath?: string
}

/** Parses any `.log` or `.blg`, with wrapped lines or without; never throws. */
export function parseLog(log: string | Uint8Array, options: ParseLogOptions = {}): Diagnostics {
  const bytes = typeof log === 'string' ? Buffer.from(log, 'utf8') : log
  const sources = options.sources ?? new Map<string, string>()
  const tool = options.tool ?? bibliographyTool(bytes)
  if (tool === 'bibtex' || tool === 'biber') return parseBibliographyLog({ tool, log: bytes, sources })
  return parseEngineLog({
    engine: tool,
    log: bytes,
    stdout: new Uint8Array(),
    recordedFiles: options.recorder === undefined ? null : recordedFiles(options.recorder),
    workspacePath: options.workspacePath ?? null,
    rootFile: options.rootFile ?? '',
    sources,
  })
}

function bibliographyTool(log: Uint8Array): 'bibtex' | 'biber' | null {
  const head = Buffer.from(log.subarray(0, 400)).toString('latin1')
  if (/^This is (?:\w+-)?BibTeX|^This is (?:8-bit |p|up)BibTeX/m.test(head)) return 'bibtex'
  return /INFO - This is Biber/.test(head) ? 'biber' : null
}

function recordedFiles(recorder: string): readonly string[] {
  return recorder.split(/\r?\n/).flatMap((line) => /^(?:INPUT|OUTPUT) (.+)$/.exec(line)?.[1] ?? [])
}
