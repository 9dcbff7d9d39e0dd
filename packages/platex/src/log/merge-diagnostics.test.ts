import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergeDiagnostics } from './merge-diagnostics.ts'
import type { LatexWarning } from '../base/types.ts'

function citation(message: string, line: number | null): LatexWarning {
  return { type: 'warning', code: 'undefined-citation', file: 'main.tex', line, message }
}

describe('mergeDiagnostics', () => {
  it('keeps one of equal diagnostics', () => {
    const warning = citation("LaTeX Warning: Citation `a' undefined", 3)
    const error = { type: 'error', file: 'a.tex', line: 1, message: 'x', context: null, source: 'latex' } as const
    const part = { errors: [error], warnings: [warning] }
    assert.deepEqual(mergeDiagnostics([part, part]), part)
  })

  it('drops the missing entry of a tool when LaTeX reports the citation', () => {
    const ofLatex = citation("LaTeX Warning: Citation `a' on page 1 undefined on input line 3.", 3)
    const ofTool = citation('BibTeX: I didn\'t find a database entry for "a"', 3)
    const other = citation("biber: I didn't find a database entry for 'b' (section 0)", null)
    const merged = mergeDiagnostics([
      { errors: [], warnings: [ofLatex] },
      { errors: [], warnings: [ofTool, other] },
    ])
    assert.deepEqual(merged.warnings, [ofLatex, other])
  })

  it('drops a summary if the warnings it counts are listed, and keeps it otherwise', () => {
    const named = citation("LaTeX Warning: Citation `a' undefined", 3)
    const summary: LatexWarning = {
      type: 'warning',
      code: 'undefined-reference',
      file: 'main.tex',
      line: null,
      message: 'LaTeX Warning: There were undefined references.',
    }
    assert.deepEqual(mergeDiagnostics([{ errors: [], warnings: [named, summary] }]).warnings, [named])
    assert.deepEqual(mergeDiagnostics([{ errors: [], warnings: [summary] }]).warnings, [summary])
  })
})
