import type { LatexError } from '../../base/types.ts'

/** The text of a source; undefined if there is none. */
export type ReadText = (path: string) => string | undefined

/** Whether the error disappears once the cause is fixed. Links never change what they compare. */
export type Link = (error: LatexError, cause: LatexError, readText: ReadText) => boolean
