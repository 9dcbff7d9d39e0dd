/**
 * Every kind of problem has a documentation page, and its example is real: TeX prints the message for the broken document,
 * and compiles the fixed document without problems. By default a quarter of the pages and all engines, because each page is
 * two compiles; `npm run test:diagnostics` sets ERROR_PAGES=all.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { compile } from '@texproof/platex'
import { diagnosticCodes, codeOf } from '@texproof/platex/explain'
import type { LatexError, LatexWarning } from '@texproof/platex'

import type { ErrorExample, ErrorPage } from '../../src/docs/error-pages/types.ts'
import { errorFamilies } from '../../src/docs/find-error-page.ts'

const pages = errorFamilies.flatMap((family) => family.pages)
const isChosen = ({ example }: ErrorPage, at: number): boolean =>
  process.env['ERROR_PAGES'] === 'all' || at % 4 === 0 || (example?.engine ?? 'pdflatex') !== 'pdflatex'

test('there is exactly one page for each kind of problem', () => {
  assert.deepEqual(pages.map(({ code }) => code).toSorted(), diagnosticCodes.toSorted())
})

test('the explanation on a page is about its problem', () => {
  const explained = pages.flatMap(({ code, example }) => {
    if (example === null) return []
    const { says, context = null } = example
    const named = codeOf({ type: 'error', file: null, line: null, message: says, context, source: 'latex' })
    return named === null ? [] : [[code, named]]
  })
  assert.deepEqual(
    explained.filter(([code, named]) => code !== named),
    [],
  )
})

for (const { code, example } of pages.filter(isChosen)) {
  if (example === null) continue
  test(`the page of ${code} shows the message of TeX and a document that fixes it`, async () => {
    const found = await diagnose(example, example.source, example.timeoutMs)
    const said = found.filter((each) => codeOf(each) === code).map(({ message }) => message.replaceAll(/\s+/g, ' '))
    assert.ok(
      said.some((message) => message.startsWith(example.says)),
      `TeX said ${JSON.stringify(found.map(({ message }) => message))}`,
    )
    const files = example.fixedFiles ?? example.files ?? {}
    const left = await diagnose({ ...example, files, encoding: 'utf8' }, example.fixed)
    assert.deepEqual(
      left.map(({ message }) => message),
      [],
    )
  })
}

async function diagnose(
  example: ErrorExample,
  source: string,
  timeoutMs = 60_000,
): Promise<readonly (LatexError | LatexWarning)[]> {
  const { engine = 'pdflatex', bibliography = 'bibtex', encoding, files = {} } = example
  // compile() takes the text of the root file, and encodes it as UTF-8.
  const all = encoding === 'latin1' ? { ...files, 'document.tex': source } : files
  const { errors, warnings } = await compile(encoding === 'latin1' ? '\\input{document}' : source, {
    engine,
    bibliography,
    files: Object.fromEntries(Object.entries(all).map(([name, text]) => [name, Buffer.from(text, encoding)])),
    timeout: timeoutMs,
  })
  return [...errors, ...warnings]
}
