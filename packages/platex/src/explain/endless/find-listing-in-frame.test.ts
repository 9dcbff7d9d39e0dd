import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { explainDiagnostics } from '../explain-diagnostics.ts'
import { findListingInFrame } from './find-listing-in-frame.ts'

const LISTING = '\\begin{lstlisting}\nx = 1\n\\end{lstlisting}\n'

function lineIn(text: string): number | null {
  return findListingInFrame(['main.tex'], () => text, 'main.tex')?.line ?? null
}

describe('findListingInFrame', () => {
  it('finds a listing in a frame that is not fragile', () => {
    assert.equal(lineIn(`\\begin{frame}[t]{Code}\n${LISTING}\\end{frame}\n`), 2)
  })

  it('accepts a listing in a fragile frame, outside of frames, and in a comment', () => {
    assert.deepEqual(
      [
        `\\begin{frame}[fragile]\n${LISTING}\\end{frame}`,
        `\\begin{frame}<1->[<+->][t, fragile=singleslide]{A}\n${LISTING}\\end{frame}`,
        `\\begin{frame}[\n  containsverbatim\n]\n${LISTING}\\end{frame}`,
        `\\begin{frame}\nA\n\\end{frame}\n${LISTING}`,
        `\\begin{frame}\n% \\begin{lstlisting}\n\\end{frame}`,
      ].map(lineIn),
      [null, null, null, null, null],
    )
  })

  it('skips other complete documents', () => {
    const text = `\\documentclass{beamer}\n\\begin{frame}\n${LISTING}\\end{frame}\n`
    assert.equal(
      findListingInFrame(['talk.tex'], () => text, 'main.tex'),
      null,
    )
  })
})

describe('explainDiagnostics', () => {
  const text = `\\documentclass{beamer}\n\\begin{frame}\n${LISTING}\\end{frame}\n`
  const explain = (message: string) => {
    const found = { type: 'error', file: null, line: null, message, context: null, source: 'latex' } as const
    const files = new Map([['main.tex', new TextEncoder().encode(text)]])
    const { errors } = explainDiagnostics({ errors: [found], warnings: [] }, files, 'main.tex')
    return errors.map(({ file, line, code, remedy }) => [file, line, code, remedy])
  }

  it('places a time limit of TeX at a listing in a frame that is not fragile', () => {
    assert.deepEqual(explain('Compilation timed out after 60000 ms (pass 1, pdflatex)'), [
      ['main.tex', 3, 'time-limit', 'Add the option: \\begin{frame}[fragile].'],
    ])
  })

  it('does not place a time limit of biber at a listing', () => {
    assert.deepEqual(
      explain('Compilation timed out after 60000 ms (pass 2, biber)').map(([file]) => file),
      [null],
    )
  })
})
