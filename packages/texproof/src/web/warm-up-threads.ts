import type { Parsers } from '../base/open-parsers.ts'
import { FIND_DOCUMENTS } from '../papers/detect/find-documents-of-commit.ts'
import { RENDER_MARKDOWN } from './content/markdown/markdown-file.ts'
import { RENDER_SOURCE } from './content/source/find-source-part.ts'

/** Has what most files have: functions are compiled on their first call. */
const README = `# Tides

Measured *daily*, see [the data](data/) and \`make\`.

* One station
`
const SOURCE = String.raw`\documentclass{article}
\begin{document}
The water rises. % at night
\end{document}
`

/**
 * Starts a thread, loads the renderers of the page of a repository and runs them once, which takes some 200 ms, to make
 * the first request fast. One thread is enough: another would cost 20 MB.
 */
export async function warmUpThread(parsers: Parsers): Promise<void> {
  const owner = { ownerId: 'warm-up' }
  const place = { folder: '', blobPrefix: '', rawPrefix: '' }
  const bytes = Buffer.from(SOURCE)
  await parsers.run(RENDER_MARKDOWN, { source: README, place }, owner)
  const list = Buffer.from(`100644 blob ${'0'.repeat(40)} ${bytes.length}\tmain.tex\0`)
  await parsers.run(FIND_DOCUMENTS, { list, sources: new Map([['main.tex', bytes]]) }, owner)
  await parsers.run(RENDER_SOURCE, { bytes, language: 'latex', from: 1 }, owner)
}
