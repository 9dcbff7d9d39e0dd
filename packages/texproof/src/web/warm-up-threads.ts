import type { Parsers } from '../base/open-parsers.ts'
import { RENDER_MARKDOWN } from './content/markdown/markdown-file.ts'
import { RENDER_SOURCE } from './content/source/find-source-part.ts'

/**
 * Starts a thread and loads its renderers, which takes some 200 ms, to make the first request fast. One thread is
 * enough: another would cost 20 MB.
 */
export async function warmUpThread(parsers: Parsers): Promise<void> {
  const owner = { ownerId: 'warm-up' }
  const place = { folder: '', blobPrefix: '', rawPrefix: '' }
  await parsers.run(RENDER_MARKDOWN, { source: '', place }, owner)
  await parsers.run(RENDER_SOURCE, { bytes: new Uint8Array(), language: 'latex', from: 1 }, owner)
}
