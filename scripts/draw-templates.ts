/**
 * `npm run templates`: builds every template and draws its first page for the gallery of new repositories, into
 * packages/texproof/src/templates/pictures. Run it after a change of a template.
 */
import { mkdir, writeFile } from 'node:fs/promises'

import { openProjectCompiler } from '@texproof/platex/project'

import { findDocuments } from '../packages/texproof/src/papers/detect/find-documents.ts'
import { fillPaperStart, paperStartNames } from '../packages/texproof/src/templates/paper-starts.ts'
import type { PaperStart } from '../packages/texproof/src/templates/paper-starts.ts'

const folder = new URL('../packages/texproof/src/templates/pictures/', import.meta.url)
const WIDTH_PX = 240
/** A fixed date, so that an unchanged template has an unchanged picture. */
const DATE = Date.UTC(2026, 0, 5) / 1000

const compiler = await openProjectCompiler({ sandbox: 'auto' })
await mkdir(folder, { recursive: true })
for (const start of paperStartNames) {
  const picture = await drawTemplate(start)
  await writeFile(new URL(`${start}.png`, folder), picture)
  process.stdout.write(`${start} ${picture.byteLength}\n`)
}
await compiler.close()

async function drawTemplate(start: PaperStart): Promise<Uint8Array> {
  const texts = fillPaperStart(start, { title: 'Tides of the North Sea', author: 'Alice Adams' })
  const found = await findDocuments({ paths: new Set(texts.keys()), readText: async (path) => texts.get(path) ?? null })
  const document = found.kind === 'found' ? found.documents[0] : undefined
  if (document === undefined) throw new Error(`${start} contains no document`)
  const { rootFile, engine, bibliography } = document
  const files = new Map([...texts].map(([path, text]) => [path, Buffer.from(text)]))
  const job = { rootFile, files, engine, bibliography, timeoutMs: 120_000, sourceDateEpoch: DATE }
  const { result } = await compiler.compile(job)
  const problems = result.errors.map(({ message }) => message)
  if (!result.pdf || problems.length > 0) throw new Error(`${start}: ${problems.join('; ')}`)
  const picture = await compiler.renderPage({ pdf: result.pdf, page: 1, widthPx: WIDTH_PX })
  if (picture === null) throw new Error(`${start} cannot be drawn: install poppler-utils`)
  return picture
}
