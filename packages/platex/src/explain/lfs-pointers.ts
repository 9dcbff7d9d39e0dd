/** Git LFS replaces a file by a pointer, a few lines of text, and keeps the file elsewhere. */
import type { Explanation } from './types.ts'

const START = 'version https://git-lfs.github.com/spec/'
/** Git LFS does not read larger ones. */
const MAX_POINTER_BYTES = 1024

/** Whether the contents of a file are a pointer. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length > MAX_POINTER_BYTES) return false
  return new TextDecoder('latin1').decode(bytes.subarray(0, START.length)) === START
}

/** Explains that TeX found the pointer `name` instead of the file. */
export function explainLfsPointer(name: string): Explanation {
  const extension = /\.\w+$/.exec(name)?.[0]
  const pattern = extension === undefined ? name : `*${extension}`
  return {
    summary: `The file ${name} is a Git LFS pointer: its contents are not in the repository.`,
    remedy: `Commit the file itself: run git lfs untrack "${pattern}" and git add --renormalize . before the commit.`,
  }
}
