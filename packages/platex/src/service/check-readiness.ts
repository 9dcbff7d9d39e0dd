import { DEFAULTS } from '../base/defaults.ts'
import { ENGINE_NAMES } from '../base/names.ts'
import { PlatexError } from '../base/errors.ts'
import { compileLocally } from '../compile/compile-locally.ts'
import { sharedSandbox } from '../compile/shared-sandbox.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileService } from './compile-service.ts'

const PROGRAMS = [...ENGINE_NAMES, 'bibtex', 'biber', 'makeindex'] as const

const PLAIN_DOCUMENT = String.raw`\documentclass{article}\begin{document}Ready.\end{document}`
const CITING_DOCUMENT = String.raw`\documentclass{article}
\usepackage{biblatex}\addbibresource{ready.bib}
\begin{document}\cite{ready}\printbibliography\end{document}`
const BIBLIOGRAPHY = '@book{ready, author = {Author, A.}, title = {Title}, year = {2000}}'

export interface BiberFailure {
  readonly message: string
  readonly remedy: string | null
}

/** The state of the machine of a compile service. */
export type Readiness =
  | {
      readonly status: 'ready'
      readonly sandbox: 'bubblewrap' | 'none'
      /** Installed programs. */
      readonly programs: readonly string[]
      /** Version and distribution, as printed by the default engine. */
      readonly version: string
      /** Whether a document with a biblatex bibliography compiles; null without biber. */
      readonly biberWorks: boolean | null
      /** Why it does not. */
      readonly biberFailure: BiberFailure | null
    }
  | { readonly status: 'not-ready'; readonly reason: string }

/** Compiles a small document, and one with a biblatex bibliography if biber is installed. Never rejects. */
export async function checkReadiness(service: CompileService): Promise<Readiness> {
  try {
    const sandbox = await sharedSandbox(service.sandbox, service)
    const { errors, logs, pdf } = await smokeCompile(service, PLAIN_DOCUMENT)
    if (pdf === null) return { status: 'not-ready', reason: errors[0]?.message ?? 'the test document produced no PDF' }
    const biberFailure = sandbox.has('biber') ? await findBiberFailure(service) : null
    return {
      status: 'ready',
      sandbox: sandbox.kind,
      programs: PROGRAMS.filter((program) => sandbox.has(program)),
      version: readVersion(logs[0]?.log ?? ''),
      biberWorks: sandbox.has('biber') ? biberFailure === null : null,
      biberFailure,
    }
  } catch (error) {
    if (service.shutdown.isDraining()) return { status: 'not-ready', reason: 'the service is shutting down' }
    service.log({ kind: 'failed', requestId: 'ready', error })
    return { status: 'not-ready', reason: error instanceof PlatexError ? error.message : 'the test compile failed' }
  }
}

/** `pdfTeX, Version 3.14… (TeX Live 2022/Debian)` from the first line of the log. */
function readVersion(log: string): string {
  return /^This is (.+?)(?: \(preloaded.*)?$/m.exec(log)?.[1] ?? ''
}

/** Other reasons than versions can be temporary: a timeout, a lack of memory. */
async function findBiberFailure(service: CompileService): Promise<BiberFailure | null> {
  const files = new Map([['ready.bib', new TextEncoder().encode(BIBLIOGRAPHY)]])
  const { errors, pdf } = await smokeCompile(service, CITING_DOCUMENT, files)
  const [error] = errors
  if (pdf !== null && error === undefined) return null
  if (errors.some(({ code }) => code === 'biblatex-mismatch'))
    return {
      message: 'biber and biblatex are incompatible',
      remedy: 'Install both from the same TeX Live release.',
    }
  const reason = error?.message ?? 'it produced no PDF'
  return { message: `the test document with biblatex failed: ${reason}`, remedy: error?.remedy ?? null }
}

function smokeCompile(
  service: CompileService,
  source: string,
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<CompileResult> {
  const { engine, passes, bibliography, timeoutMs } = DEFAULTS
  return compileLocally(
    { source, main: null, files, engine, passes, bibliography, timeoutMs, outputs: [], session: null },
    {
      sandbox: service.sandbox,
      cacheDir: service.cacheDir,
      maxWaiting: service.maxWaiting,
      signal: service.shutdown.drainSignal,
    },
  )
}
