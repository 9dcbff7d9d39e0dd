import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { baseName, filesOpenAt, readMarker, withHooks } from './file-stack-oracle.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { runDocument, type LogForm } from './run-document.ts'
import type { Engine } from '../../src/base/types.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'

const engines: readonly Engine[] = ['pdflatex', 'xelatex', 'lualatex']
const forms: readonly LogForm[] = ['whole', 'foreign']

/** Files that read others with the TeX primitive, which runs no hooks. */
const readsWithoutHooks = new Set(['xy.sty'])

const part =
  '\\typeout{(((}\\typeout{:-) a) b}\\message{(open}Text \\undefined ((.\n\n\\hbox to 1cm{((( too wide for that) )}\n'
const papers: Readonly<Record<string, string>> = {
  'a beamer talk with pictures': String.raw`\documentclass{beamer}
\usetheme{Warsaw}
\usepackage{tikz,pgfplots}
\usetikzlibrary{calc,positioning,arrows.meta}
\begin{document}
\begin{frame}\tikz\draw (0,0) -- (1,1);\end{frame}
\input{part}
\end{document}
`,
  'a KOMA-Script book with biblatex': String.raw`\documentclass{scrbook}
\usepackage[english]{babel}
\usepackage{csquotes,microtype,booktabs,siunitx,listings}
\usepackage[style=authoryear]{biblatex}
\usepackage{hyperref,cleveref}
\begin{document}
\tableofcontents
\include{part}
\chapter{One}\cite{nobody}
\include{part two (draft)}
\printbibliography
\end{document}
`,
  'an article with old and loud packages': String.raw`\documentclass{article}
\usepackage[all]{xy}
\usepackage{amsmath,amssymb,mathtools,algorithm2e,longtable,pdfpages,fancyhdr,glossaries,minitoc}
\usepackage{circuitikz,tcolorbox,babel,todonotes,chemformula}
\begin{document}
\input{part}
\section{One}
\input{part two (draft)}
\end{document}
`,
}

describe('parseEngineLog follows the files that TeX reads', { concurrency: 3 }, () => {
  let sandbox: Sandbox
  before(async () => {
    sandbox = await openSandbox('auto')
  })
  for (const engine of engines) {
    for (const form of forms) {
      for (const [title, paper] of Object.entries(papers)) {
        it(`${title} (${engine}, ${form})`, async () => {
          const files = { 'main.tex': withHooks(paper), 'part.tex': part, 'part two (draft).tex': part }
          const found = await runDocument(files, { sandbox, engine, form, allFilesAreTheUsers: true })
          const told = found.warnings.flatMap(({ file, message }) => {
            const marker = readMarker(message)
            return marker === null ? [] : [{ marker, file: baseName(file ?? '') }]
          })
          const markers = told.map(({ marker }) => marker)
          const open = filesOpenAt(markers, 'main.tex')
          const isWitnessed = (_: string, index: number) => !readsWithoutHooks.has(open[index] ?? '')
          assert.ok(told.length > 20)
          assert.deepEqual(told.map(({ file }) => file).filter(isWitnessed), open.filter(isWitnessed))
        })
      }
    }
  }
})
