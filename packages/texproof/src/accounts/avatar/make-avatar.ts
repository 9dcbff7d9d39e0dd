/**
 * Makes an avatar of a picture that somebody sent: looked at by its header, then decoded, cut square, made small and
 * encoded anew in a thread that lives for this one picture. Nothing of the file survives but what can be seen: no
 * metadata, no second file behind the first. One picture at a time, so that memory stays bounded by its size.
 */
import { Worker } from 'node:worker_threads'

import type { AvatarJob } from './avatar-worker.ts'
import { readPictureHeader } from './read-picture-header.ts'
import type { PictureFormat } from './read-picture-header.ts'

/** Why there is no avatar. */
export type AvatarRefusal = 'too-many-bytes' | 'no-picture' | 'animated' | 'too-many-pixels' | 'unreadable' | 'busy'

/** What came of a picture. */
export type AvatarOutcome =
  | { readonly kind: 'made'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'refused'; readonly reason: AvatarRefusal }

/** Bytes that may be sent. */
export const maxAvatarBytes = 1_048_576
/** Type of every avatar. */
export const avatarContentType = 'image/webp'

const maxPixels = 25_000_000
/** Pixels of an avatar's side: four times the size at which pages show it largest. */
const side = 256
/** The largest picture takes less than a second; a crafted one could take minutes. */
const timeLimitMs = 10_000
const maxWaiting = 8

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Makes the avatar; never rejects for what is in the picture. */
export async function makeAvatar(bytes: Uint8Array<ArrayBuffer>): Promise<AvatarOutcome> {
  if (bytes.byteLength > maxAvatarBytes) return refused('too-many-bytes')
  const header = readPictureHeader(bytes)
  if (header === null) return refused('no-picture')
  const { format, width, height, isAnimated, isWhole } = header
  if (width * height > maxPixels) return refused('too-many-pixels')
  if (width === 0 || height === 0 || !isWhole) return refused('unreadable')
  if (isAnimated) return refused('animated')
  if (waiting >= maxWaiting) return refused('busy')
  const avatar = await inTurn(() => runWorker(bytes, format))
  return avatar === null ? refused('unreadable') : { kind: 'made', bytes: avatar }
}

function refused(reason: AvatarRefusal): AvatarOutcome {
  return { kind: 'refused', reason }
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  waiting += 1
  const result = last.then(work)
  // The caller gets the error; the next one only waits for the end.
  last = result.catch(() => {})
  try {
    return await result
  } finally {
    waiting -= 1
  }
}

/** null when the decoder gives up, or takes too long. */
async function runWorker(
  bytes: Uint8Array<ArrayBuffer>,
  format: PictureFormat,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer> | null>()
  const job: AvatarJob = { bytes: new Uint8Array(bytes), format, side }
  // What decoders print about a broken file is no concern of the log.
  const worker = new Worker(new URL('avatar-worker.ts', import.meta.url), {
    workerData: job,
    env: {},
    stdout: true,
    stderr: true,
  })
  const timer = setTimeout(() => resolve(null), timeLimitMs)
  const giveUp = (): void => resolve(null)
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp)
  const avatar = await promise
  clearTimeout(timer)
  await worker.terminate()
  return avatar
}
