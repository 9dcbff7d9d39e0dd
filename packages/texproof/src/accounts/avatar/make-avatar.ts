/**
 * Makes an avatar of a picture that somebody sent: looked at by its header, then decoded, cut square, made small and
 * encoded anew in a thread that lives for this one picture. Nothing of the file survives but what can be seen: no
 * metadata, no second file behind the first. One picture at a time, so that memory stays bounded by its size.
 */
import { openParsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { encodeAvatar } from './encode-avatar.ts'
import { readPictureHeader } from './read-picture-header.ts'

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
/** Pictures that wait while one is made. */
const maxWaiting = 7

/** A thread lives for one picture: decoders keep the memory that they took. */
const parsers = openParsers({
  threads: 1,
  timeLimitMs,
  idleLimitMs: 0,
  maxQueued: maxWaiting,
  maxQueuedPerRequester: maxWaiting,
})
const ENCODE = defineTask<typeof encodeAvatar>(import.meta.resolve('./encode-avatar.ts'), 'encodeAvatar')

/** Makes the avatar; never rejects for what is in the picture. */
export async function makeAvatar(bytes: Uint8Array<ArrayBuffer>): Promise<AvatarOutcome> {
  if (bytes.byteLength > maxAvatarBytes) return refused('too-many-bytes')
  const header = readPictureHeader(bytes)
  if (header === null) return refused('no-picture')
  const { format, width, height, isAnimated, isWhole } = header
  if (width * height > maxPixels) return refused('too-many-pixels')
  if (width === 0 || height === 0 || !isWhole) return refused('unreadable')
  if (isAnimated) return refused('animated')
  const outcome = await parsers.run(ENCODE, { bytes: new Uint8Array(bytes), format, side }, { ownerId: 'avatars' })
  if (outcome.kind === 'done') return { kind: 'made', bytes: outcome.value }
  return refused(outcome.kind === 'busy' ? 'busy' : 'unreadable')
}

function refused(reason: AvatarRefusal): AvatarOutcome {
  return { kind: 'refused', reason }
}
