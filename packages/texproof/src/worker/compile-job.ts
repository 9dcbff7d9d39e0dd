import type { ProjectCompiler } from '@texproof/platex/project'

import { boundPassLogs } from '../domain/build/bound-pass-logs.ts'
import { describeCompile } from '../domain/build/describe-compile.ts'
import { documentTime } from '../domain/build/document-time.ts'
import { MAX_FILES_AT_ONCE, type BuildJob, type JobFile } from '../domain/build/worker-protocol.ts'
import type { BlobCache } from './blob-cache.ts'
import type { ServerConnection } from './server-connection.ts'

/** Contents that are requested together. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024
/** Larger auxiliary files are not worth their transfer: reading them costs more than a pass. */
const MAX_AUX_BYTES = 64 * 1024 * 1024

/** Dependencies of a compile job. */
export interface CompileTools {
  readonly compiler: Pick<ProjectCompiler, 'compile'>
  readonly blobs: BlobCache
  readonly connection: Pick<ServerConnection, 'fetchFiles' | 'fetchWarmStart'>
}

/**
 * Compiles a job and returns its result as the files of a bundle: `result.json`, `document.pdf`, `document.synctex` and
 * those below `aux/`.
 *
 * @throws PlatexError if the engine is missing; LeaseLost, ServerRefused; the reason of the signal.
 */
export async function compileJob(
  job: BuildJob,
  { compiler, blobs, connection }: CompileTools,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: string) => void },
): Promise<ReadonlyMap<string, Uint8Array>> {
  onProgress('reading the files')
  const contents = await readContents(job, { blobs, connection }, signal)
  const warmStartFiles = job.hasWarmStart ? await connection.fetchWarmStart(job, signal) : new Map<string, Uint8Array>()
  const files = new Map(job.files.flatMap(({ path, blobId }) => entryOf(path, contents.get(blobId))))
  const { result, aux, synctex } = await compiler.compile({
    rootFile: job.rootFile,
    files,
    engine: job.engine,
    bibliography: job.bibliography,
    timeoutMs: job.timeoutMs,
    synctex: true,
    requester: job.requester,
    tenant: job.tenant,
    ...(job.committedAt === null ? {} : { sourceDateEpoch: documentTime(job.committedAt, files).epoch }),
    ...(warmStartFiles.size === 0 ? {} : { warmStartFiles }),
    signal,
    onProgress: (progress) => onProgress(describeCompile(progress)),
  })
  signal.throwIfAborted()
  const { outputs: _, ...report } = result
  const json = JSON.stringify({ ...report, pdf: null, logs: boundPassLogs(result.logs) })
  const auxBytes = [...aux.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0)
  const keepsAux = result.errors.length === 0 && auxBytes <= MAX_AUX_BYTES
  return new Map([
    ['result.json', new Uint8Array(Buffer.from(json))],
    ...entryOf('document.pdf', result.pdf),
    ...entryOf('document.synctex', synctex),
    ...(keepsAux ? [...aux].map(([path, bytes]) => [`aux/${path}`, bytes] as const) : []),
  ])
}

function entryOf(path: string, bytes: Uint8Array | null | undefined): readonly (readonly [string, Uint8Array])[] {
  return bytes === null || bytes === undefined ? [] : [[path, bytes]]
}

/** The contents of all files by their id; fetches those that are not in the cache. */
async function readContents(
  job: BuildJob,
  { blobs, connection }: Pick<CompileTools, 'blobs' | 'connection'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>()
  const missing: JobFile[] = []
  for (const [blobId, file] of new Map(job.files.map((each) => [each.blobId, each]))) {
    const known = await blobs.find(blobId)
    if (known === null) missing.push(file)
    else contents.set(blobId, known)
  }
  for (const batch of splitBatches(missing)) {
    const fetched = await connection.fetchFiles(
      job,
      batch.map(({ blobId }) => blobId),
      signal,
    )
    for (const [blobId, bytes] of fetched) {
      await blobs.add(blobId, bytes)
      contents.set(blobId, bytes)
    }
  }
  return contents
}

function* splitBatches(files: readonly JobFile[]): Generator<readonly JobFile[]> {
  let batch: JobFile[] = []
  let batchBytes = 0
  for (const file of files) {
    if (batch.length > 0 && (batch.length >= MAX_FILES_AT_ONCE || batchBytes + file.sizeBytes > MAX_BATCH_BYTES)) {
      yield batch
      batch = []
      batchBytes = 0
    }
    batch.push(file)
    batchBytes += file.sizeBytes
  }
  if (batch.length > 0) yield batch
}
