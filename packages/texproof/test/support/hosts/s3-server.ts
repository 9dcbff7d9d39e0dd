import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import S3rver from 's3rver'

import type { BucketAddress } from '../../../src/config/parse-bucket-url.ts'

/** A running S3 server on loopback with one bucket. */
export interface S3Server {
  readonly address: BucketAddress
  /** URL of the bucket as a setting. */
  readonly url: string
  /** Names of all objects, sorted. */
  list(): Promise<readonly string[]>
  /** Changes the bytes of an object without its checksum. */
  damage(name: string): Promise<void>
  /** Answers requests with 503 until `resume`. */
  interrupt(): void
  /** Until `resume`, the connection of a download is closed after half of the content. */
  cutDownloads(): void
  resume(): void
  /** Answers uploads whose name contains `part` with 403 from now on. */
  refuse(part: string): void
  /** Does not answer uploads until the server is closed. Resolves with the first of them, once it was sent. */
  hang(): Promise<IncomingMessage>
  close(): Promise<void>
}

const bucket = 'papers'

/** Starts a server. It uses the default access key and secret of S3rver. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'texproof-s3-'))
  const service = new S3rver({ directory, silent: true, resetOnClose: false, configureBuckets: [{ name: bucket }] })
  await service.configureBuckets()
  const answer = service.callback()
  let isOut = false
  let isCut = false
  let refused: string | null = null
  let hanging: PromiseWithResolvers<IncomingMessage> | null = null
  const server = createServer((request, response) => {
    const isUpload = request.method === 'PUT'
    if (isOut) response.writeHead(503).end()
    else if (isUpload && refused !== null && request.url?.includes(refused)) response.writeHead(403).end()
    else if (isUpload && hanging !== null) hanging.resolve(request)
    else if (isCut && request.method === 'GET') void sendHalf(objectPath(nameIn(request)), response)
    else void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  const address = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    prefix: 'host/',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  const objectPath = (name: string): string => join(directory, bucket, `host/${name}._S3rver_object`)
  return {
    address,
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}/host?tls=false`,
    async list() {
      const files = await readdir(join(directory, bucket), { recursive: true })
      return files.flatMap((file) => /^host\/(.*)\._S3rver_object$/.exec(file)?.[1] ?? []).toSorted()
    },
    async damage(name) {
      const bytes = await readFile(objectPath(name))
      bytes[0] = (bytes[0] ?? 0) ^ 1
      await writeFile(objectPath(name), bytes)
    },
    interrupt: () => void (isOut = true),
    cutDownloads: () => void (isCut = true),
    resume: () => void (isOut = isCut = false),
    refuse: (part) => void (refused = part),
    hang() {
      hanging = Promise.withResolvers()
      return hanging.promise
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The name of the object that a request reads. */
function nameIn({ url = '' }: IncomingMessage): string {
  return url.slice(`/${bucket}/host/`.length)
}

async function sendHalf(path: string, response: ServerResponse): Promise<void> {
  const bytes = await readFile(path)
  response.writeHead(200, { 'content-length': bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
