import type { CorpusDocument } from '../../packages/platex/test/support/read-corpus.ts'

const WORDS =
  'the tide in a narrow channel rises where bed is shallow and friction grows with depth of river mouth'.split(' ')
const PARAGRAPHS_PER_PAGE = 5
const WORDS_PER_PARAGRAPH = 120

/** An article of about so many pages, with sections, labels and formulas. The same arguments give the same text. */
export function makeBook(
  name: string,
  { engine, pages }: { engine: CorpusDocument['engine']; pages: number },
): CorpusDocument {
  const font = engine === 'pdflatex' ? '\\usepackage[T1]{fontenc}\\usepackage{lmodern}' : '\\usepackage{fontspec}'
  const lines = [`\\documentclass{article}${font}\\usepackage{amsmath,graphicx,hyperref}`, '\\begin{document}']
  for (let number = 0; number < pages * PARAGRAPHS_PER_PAGE; number += 1) {
    if (number % 40 === 0) lines.push(`\\section{Part ${number}}\\label{part${number}}`, '')
    lines.push(paragraphOf(number), '')
    if (number % 7 === 0) lines.push(`\\begin{equation}a_{${number}}=\\int_0^1 x^{${number}}\\,dx\\end{equation}`, '')
  }
  const files = new Map([['main.tex', Buffer.from([...lines, '\\end{document}', ''].join('\n'))]])
  const expected = { isQuick: false, passes: 2, tools: [], errors: [], end: 'converged' }
  return { name, engine, files, ...expected }
}

function paragraphOf(number: number): string {
  const words = Array.from(
    { length: WORDS_PER_PARAGRAPH },
    (_, index) => WORDS[(number * 7 + index * index) % WORDS.length],
  )
  return `${words.join(' ')}.`
}
