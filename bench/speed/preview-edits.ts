/** Edits in a preview, as an editor makes them: a letter in one place of a document, then a pause. */
import type { ProjectCompiler } from '../../packages/platex/src/api/project.ts'
import type { CorpusDocument } from '../../packages/platex/test/support/read-corpus.ts'
import { editDocument } from './edit-document.ts'

/** Milliseconds from an edit to a PDF with the edited page. */
export async function timeEditedPage(
  compiler: ProjectCompiler,
  { document, number }: { readonly document: CorpusDocument; readonly number: number },
): Promise<number> {
  const { path, text, line } = editDocument(document, { position: 'body', number })
  const overlay = new Map([[path, Buffer.from(text)]])
  const request = {
    owner: 'bench',
    session: document.name,
    rootFile: 'main.tex',
    files: document.files,
    overlay,
    engine: document.engine,
    timeoutMs: 120_000,
    edited: { file: path, line },
  }
  const startedAt = performance.now()
  let shownMs: number | null = null
  for await (const event of compiler.preview(request)) {
    if (event.kind === 'page' || event.kind === 'done') shownMs ??= performance.now() - startedAt
  }
  if (shownMs === null) throw new Error(`no PDF of ${document.name}`)
  return shownMs
}
