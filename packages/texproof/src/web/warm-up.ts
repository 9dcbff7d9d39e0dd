import type { Parsers } from '../base/open-parsers.ts'
import { RENDER_MARKDOWN } from './content/markdown/markdown-file.ts'
import { RENDER_SOURCE } from './content/source/find-source-part.ts'

/** Starts threads and loads what renders READMEs and sources, for which the first reader would wait otherwise. */
export async function warmUp(parsers: Parsers): Promise<void> {
  const place = { folder: '', blobPrefix: '', rawPrefix: '' }
  // A thread of its own for each: a cold one takes some 200 ms to colour its first source.
  await Promise.all([
    parsers.run(RENDER_MARKDOWN, { source: '', place }, { ownerId: 'warm-up-1' }),
    parsers.run(RENDER_SOURCE, { bytes: new Uint8Array(), language: 'latex', from: 1 }, { ownerId: 'warm-up-2' }),
  ])
}
