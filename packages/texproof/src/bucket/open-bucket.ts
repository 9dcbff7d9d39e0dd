/** A bucket of an S3-compatible service: objects under names, read and written whole. */
import type { S3mini } from 's3mini'

import type { BucketAddress } from '../config/parse-bucket-url.ts'

/** A request longer than this has failed. */
const REQUEST_LIMIT_MS = 60_000

/** The service cannot be reached, or refuses the request. */
export class BucketUnavailable extends Error {
  override readonly name = 'BucketUnavailable'
  readonly code = 'BUCKET_UNAVAILABLE'
}

/** Every method throws `BucketUnavailable`. */
export interface Bucket {
  /** Address for messages: `https://s3.example/bucket/prefix/`, without credentials. */
  readonly url: string
  put(name: string, bytes: Uint8Array): Promise<void>
  /**
   * Null if there is no such object. The iteration throws `BucketUnavailable`, too. Not a `Readable`, whose error would
   * end the process if it came before the caller listens.
   */
  read(name: string): Promise<AsyncIterable<Uint8Array> | null>
  /** Size in bytes; null if there is no such object. */
  measure(name: string): Promise<number | null>
  /** Does nothing if there is no such object. */
  remove(name: string): Promise<void>
  /** All names that start with a prefix. */
  list(prefix: string): Promise<readonly string[]>
  /** Whether the bucket exists and the credentials allow using it. */
  check(): Promise<boolean>
  /** Ends running requests. They fail for this reason, as do later ones. */
  close(reason?: Error): void
}

/** Opens a bucket. Does not connect yet. */
export function openBucket({ endpoint, bucket, prefix, ...credentials }: BucketAddress): Bucket {
  const stop = new AbortController()
  let loading: Promise<S3mini> | null = null
  const load = async (): Promise<S3mini> => {
    const library = await import('s3mini') // most hosts have no bucket
    return new library.S3mini({
      ...credentials,
      endpoint: `${endpoint}/${bucket}`,
      requestAbortTimeout: REQUEST_LIMIT_MS,
      fetch: (input, init) =>
        fetch(input, { ...init, signal: AbortSignal.any([stop.signal, ...(init?.signal ? [init.signal] : [])]) }),
    })
  }
  const url = `${endpoint}/${bucket}/${prefix}`
  const request = async <Result>(send: (client: S3mini) => Promise<Result>): Promise<Result> => {
    try {
      loading ??= load()
      return await send(await loading)
    } catch (error) {
      throw new BucketUnavailable(`${url}: ${describe(error)}`, { cause: error })
    }
  }
  return {
    url,
    async put(name, bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      await request((client) => client.putObject(prefix + name, buffer))
    },
    async read(name) {
      const response = await request((client) => client.getObjectResponse(prefix + name))
      return response === null ? null : readBody(response, url + name)
    },
    async measure(name) {
      return request((client) => client.getContentLength(prefix + name).catch(whenMissing))
    },
    async remove(name) {
      await request((client) => client.deleteObject(prefix + name))
    },
    async list(start) {
      const objects = await request((client) => client.listObjects('/', prefix + start))
      return (objects ?? []).map(({ Key }) => Key.slice(prefix.length))
    },
    check: () => request((client) => client.bucketExists()),
    close: (reason) => stop.abort(reason),
  }
}

async function* readBody({ body }: Response, url: string): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body
  } catch (error) {
    throw new BucketUnavailable(`${url}: the download ended early`, { cause: error })
  }
}

function whenMissing(error: unknown): null {
  if (error instanceof Error && statusOf(error.cause) === 404) return null
  throw error
}

function statusOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : null
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
