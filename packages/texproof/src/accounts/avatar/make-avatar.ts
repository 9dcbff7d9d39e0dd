/**
 * Converts an uploaded image to an avatar: the header is checked, then a worker thread for this one image decodes,
 * crops, scales and encodes it. Only the pixels are kept: no metadata and no appended files. Images are converted one
 * at a time, which bounds memory by the size of one.
 */
import { openParsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { encodeAvatar } from './encode-avatar.ts'
import { readPictureHeader } from './read-picture-header.ts'

/** Why there is no avatar. */
export type AvatarRefusal = 'too-many-bytes' | 'no-picture' | 'animated' | 'too-many-pixels' | 'unreadable' | 'busy'

/** The outcome of a conversion. */
export type AvatarOutcome =
  | { readonly kind: 'made'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'refused'; readonly reason: AvatarRefusal }

/** Maximum size of an upload in bytes. */
export const maxAvatarBytes = 1_048_576
/** Media type of every avatar. */
export const avatarContentType = 'image/webp'

const maxPixels = 25_000_000
/** Side of an avatar in pixels: four times the largest size on pages. */
const side = 256
/** The largest image takes less than a second; a malicious one could take minutes. */
const timeLimitMs = 10_000
/** Images that may wait while one is converted. */
const maxWaiting = 7

/** One thread per image: decoders do not release memory. */
const parsers = openParsers({
  threads: 1,
  timeLimitMs,
  idleLimitMs: 0,
  maxQueued: maxWaiting,
  maxQueuedPerRequester: maxWaiting,
})
const ENCODE = defineTask<typeof encodeAvatar>(import.meta.resolve('./encode-avatar.ts'), 'encodeAvatar')

/** Converts an image; never rejects because of its content. */
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
