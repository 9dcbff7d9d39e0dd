import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LatexError } from '../base/types.ts'
import { explainDiagnostics } from './explain-diagnostics.ts'

function explain(message: string, paths: readonly string[], more: Partial<LatexError> = {}) {
  const error = { type: 'error', file: 'main.tex', line: 2, message, context: null, source: 'latex', ...more } as const
  const files = new Map(paths.map((path) => [path, new Uint8Array()]))
  const { summary, remedy } = explainDiagnostics({ errors: [error], warnings: [] }, files).errors[0] ?? {}
  return [summary, remedy]
}

const missing = (name: string) => `LaTeX Error: File \`${name}' not found.`

describe('explainDiagnostics', () => {
  it('names the folder of a package or class that the project contains', () => {
    assert.deepEqual(explain(missing('common.sty'), ['doc/main.tex', 'lib/common.sty']), [
      'The file common.sty is in the folder lib/, where TeX does not look.',
      "Move it to the folder of the document, or add its folder in a file latexmkrc: ensure_path('TEXINPUTS', './lib/');",
    ])
    assert.deepEqual(explain(missing('thesis.cls'), ['doc/main.tex', 'thesis.cls']), [
      'The file thesis.cls is in the root folder, where TeX does not look.',
      "Move it to the folder of the document, or add its folder in a file latexmkrc: ensure_path('TEXINPUTS', './');",
    ])
  })

  it('prefers the package of the project to the one of TeX Live', () => {
    const remedy = 'Install texlive-science on the machine that compiles.'
    const more = { remedy, package: { provides: 'siunitx.sty', debian: null, texlive: 'siunitx', command: null } }
    assert.deepEqual(
      [
        explain(missing('siunitx.sty'), ['lib/siunitx.sty'], more)[0],
        explain(missing('siunitx.sty'), ['main.tex'], more)[1],
      ],
      ['The file siunitx.sty is in the folder lib/, where TeX does not look.', remedy],
    )
  })

  it('suggests the path of a package that has another one', () => {
    assert.deepEqual(explain(missing('style/common.sty'), ['main.tex', 'styles/common.sty']), [
      'The file "style/common.sty" was not found.',
      'Did you mean styles/common? Write the path from the folder of the document.',
    ])
  })

  it('names no folder if two contain the package', () => {
    assert.deepEqual(explain(missing('common.sty'), ['a/common.sty', 'b/common.sty']), [
      'The package "common" is not installed.',
      'Check the name, or add common.sty to the project.',
    ])
  })

  it('names the source from which a package is extracted', () => {
    assert.deepEqual(explain(missing('foo.sty'), ['doc/example.tex', 'src/foo.dtx', 'src/foo.ins']), [
      'The file foo.sty does not exist: it is extracted from src/foo.dtx.',
      'Extract it on your computer, usually with "tex foo.ins", and add it to the project.',
    ])
  })

  it('names the folder of a bibliography style', () => {
    assert.deepEqual(explain("I couldn't open style file own.bst", ['main.tex', 'bst/own.bst'], { source: 'bibtex' }), [
      'The file own.bst is in the folder bst/, where TeX does not look.',
      "Move it to the folder of the document, or add its folder in a file latexmkrc: ensure_path('BSTINPUTS', './bst/');",
    ])
  })
})
