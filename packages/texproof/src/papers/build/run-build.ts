import { Buffer } from 'node:buffer'

import type { LatexError } from '@texproof/platex'
import type { CompileOutcome, CompileProgress, ConfirmingPdf } from '@texproof/platex/project'

import type { Parsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { Config } from '../../config/read-config.ts'
import type { Build, BuildOutcome } from '../../domain/build.ts'
import type { GitStore } from '../../git/types.ts'
import type { BuildCache } from '../cache/build-cache.ts'
import type { parseTexproofToml } from '../detect/parse-texproof-toml.ts'
import type { PdfStore } from '../cache/pdf-store.ts'
import { documentTime } from '../../domain/build/document-time.ts'
import type { HostCompiler } from '../host-compiler.ts'
import { readTreeFiles, type LinkTargets } from './read-tree-files.ts'

/** Maximum number of diagnostics stored for one build: more of them have the same cause. */
const MAX_KEPT_DIAGNOSTICS = 500

/** Dependencies of builds on this machine. */
export interface BuildTools {
  readonly config: Config
  readonly git: GitStore
  readonly compiler: Pick<HostCompiler, 'compile'>
  readonly pdfs: PdfStore
  readonly cache: BuildCache
  readonly parsers: Parsers
  readonly ownerId: string
}

export interface BuildOptions {
  readonly signal: AbortSignal
  readonly onProgress: (progress: CompileProgress) => void
  readonly onConfirming: (confirming: ConfirmingPdf) => void
  /** Called at the end; false if other builds wait or run. */
  readonly isLast: () => boolean
}

/**
 * Compiles one document of one commit, stores its PDF and returns the outcome.
 *
 * The time of the document follows from the commit, so that the same commit always gives the same PDF.
 *
 * @throws the signal's reason on abort, PlatexError when the engine is missing.
 */
export async function runBuild(
  build: Build,
  tools: BuildTools,
  { isLast, ...options }: BuildOptions,
): Promise<BuildOutcome> {
  const { config, git, compiler, cache } = tools
  const { maxFiles, maxBytes } = config.build
  const [tree, commit, warmStartFiles] = await Promise.all([
    readTreeFiles(git, build.repositoryId, { commitId: build.commitId, maxFiles, maxBytes }),
    git.findCommit(build.repositoryId, build.commitId),
    cache.findAux(build),
  ])
  if (tree.kind === 'refused') return refuse(tree.message)
  if (!tree.files.has(build.rootFile)) return refuse(`${build.rootFile} cannot be read from the repository.`)

  const time = commit === null ? null : documentTime(commit.committer.at, tree.files)
  const tenant = tenantOf(build)
  const job = {
    rootFile: build.rootFile,
    files: tree.files,
    engine: build.engine,
    bibliography: build.bibliography,
    timeoutMs: await readTimeoutMs(build, tools),
    synctex: true,
    requester: tools.ownerId,
    tenant,
    ...(time === null ? {} : { sourceDateEpoch: time.epoch }),
    ...(warmStartFiles === null ? {} : { warmStartFiles }),
    ...options,
  }
  const document = { owner: tenant, key: `build of ${build.ref}`, isWorthwhile: isLast }
  const outcome = await compiler.compile(job, time?.isOfWholeDay ? document : undefined)
  options.signal.throwIfAborted()
  return keepOutcome(build, outcome, { ...tools, targets: tree.targets })
}

/** Builds of one repository share caches. */
export function tenantOf({ repositoryId }: Build): string {
  return `repository ${repositoryId}`
}

const PARSE_SETTINGS = defineTask<typeof parseTexproofToml>(
  import.meta.resolve('../detect/parse-texproof-toml.ts'),
  'parseTexproofToml',
)

/** The timeout that the repository sets, limited by the server; otherwise the server's default. */
export async function readTimeoutMs(
  build: Build,
  { git, config, parsers, ownerId }: Pick<BuildTools, 'git' | 'config' | 'parsers' | 'ownerId'>,
): Promise<number> {
  const file = await git.findEntry(build.repositoryId, build.commitId, '.texproof.toml')
  const source = file?.kind === 'file' && (await git.readBlob(build.repositoryId, file.objectId, { maxBytes: 100_000 }))
  if (!source) return config.build.timeoutMs
  const outcome = await parsers.run(PARSE_SETTINGS, Buffer.from(source).toString(), { ownerId })
  const settings = outcome.kind === 'done' ? outcome.value : null
  return settings !== null && 'timeoutMs' in settings && settings.timeoutMs !== null
    ? Math.min(settings.timeoutMs, config.build.maxTimeoutMs)
    : config.build.timeoutMs
}

/** Stores the files of an outcome. Problems name the targets of symbolic links, because pages can show only those. */
export async function keepOutcome(
  build: Build,
  { result, aux, synctex }: CompileOutcome,
  { pdfs, cache, targets }: Pick<BuildTools, 'pdfs' | 'cache'> & { readonly targets: LinkTargets },
): Promise<BuildOutcome> {
  const [pdfId] = await Promise.all([
    result.pdf === null ? null : pdfs.add(result.pdf),
    cache.savePassLogs(build.id, result.logs),
    result.errors.length === 0 ? cache.saveAux(build, aux) : null,
    synctex === null ? null : cache.saveSynctex(build, synctex),
  ])
  const atTarget = <T extends { readonly file: string | null }>(problem: T): T => {
    return { ...problem, file: targets.get(problem.file ?? '') ?? problem.file }
  }
  return {
    state: pdfId !== null && result.errors.length === 0 ? 'succeeded' : 'failed',
    pdfId,
    pageCount: result.pages ?? null,
    errors: result.errors.slice(0, MAX_KEPT_DIAGNOSTICS).map(atTarget),
    warnings: result.warnings.slice(0, MAX_KEPT_DIAGNOSTICS).map(atTarget),
    passes: result.logs.map(({ engine, reason, durationMs, exitCode, timedOut }) => ({
      program: engine,
      reason: reason ?? null,
      durationMs: durationMs ?? null,
      exitCode,
      timedOut,
    })),
  }
}

/** A build that cannot start counts as failed, with one error that gives the reason. */
export function refuse(message: string): BuildOutcome {
  const error: LatexError = { type: 'error', file: null, line: null, message, context: null, source: 'latex' }
  return { state: 'failed', pdfId: null, pageCount: null, errors: [error], warnings: [], passes: [] }
}
