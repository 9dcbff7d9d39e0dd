import { LRUCache } from 'lru-cache'

import type { Language } from './find-language.ts'
import type { HighlightJob } from './highlight-worker.ts'
import { runApart } from './run-apart.ts'
import { waitAtMost } from './wait-at-most.ts'

const highlight = runApart<HighlightJob, readonly string[]>(new URL('highlight-worker.ts', import.meta.url))

const kept = new LRUCache<string, readonly string[]>({
  maxSize: 48 * 1024 * 1024,
  sizeCalculation: (lines) => lines.reduce((sum, line) => sum + 16 + line.length, 1),
})

/** Larger files are shown plain. */
const MAX_LENGTH = 512 * 1024

/** Nobody waits longer for colour: the page goes out plain, and the next reader finds the colours kept. */
const PATIENCE_MS = 150

/** A source and the name of its bytes. */
export interface Source {
  readonly objectId: string
  readonly language: Language
  /** Called only when the colours are not kept yet. */
  readonly readText: () => string
}

/** Gives the lines of a source as HTML in colour; null when it is too long, or takes longer than a reader waits. */
export async function highlightApart({ objectId, language, readText }: Source): Promise<readonly string[] | null> {
  const key = `${language} ${objectId}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const text = readText()
  if (text.length > MAX_LENGTH) return null
  const coloured = highlight({ source: text, language }).then((lines) => {
    if (lines !== null) kept.set(key, lines)
    return lines
  })
  return waitAtMost(PATIENCE_MS, coloured)
}
