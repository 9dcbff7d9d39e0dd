import { article, bibtexRequest, biberRequest, luaRequest } from '../documents.ts'
import type { HostileCase } from '../hostile-case.ts'

const OWN_CLASS = String.raw`\NeedsTeXFormat{LaTeX2e}\ProvidesClass{own}\LoadClass{article}\newcommand\own{own class}`

const METAFONT = String.raw`
mode_setup; em#:=10pt#; define_pixels(em);
beginchar("A",em#,em#,0); pickup pencircle scaled 1pt; draw (0,0)--(w,h); endchar;
font_size 10pt#; font_quad 10pt#; end
`

/** Harmless documents: a sandbox that breaks TeX must fail the suite. */
export const CONTROL_CASES: readonly HostileCase[] = [
  { name: 'control-pdflatex', request: { source: article('Text.') }, isQuick: true },
  { name: 'control-xelatex', request: { source: article('Ünïcödé.'), engine: 'xelatex' }, isQuick: true },
  { name: 'control-lualatex', request: { source: article('Ünïcödé.'), engine: 'lualatex' }, isQuick: true },
  {
    name: 'control-lualatex-fontspec',
    request: {
      source: article('Text.', String.raw`\usepackage{fontspec}\setmainfont{Latin Modern Roman}`),
      engine: 'lualatex',
    },
  },
  { name: 'control-bibtex', request: bibtexRequest('plain'), isQuick: true },
  { name: 'control-biber', request: biberRequest('{refs.bib}'), isQuick: true },
  {
    name: 'control-index',
    request: { source: article(String.raw`Text\index{word}.\printindex`, String.raw`\usepackage{makeidx}\makeindex`) },
  },
  {
    name: 'control-own-class',
    request: {
      source: String.raw`\documentclass{own}\begin{document}\own\end{document}`,
      files: [['own.cls', OWN_CLASS]],
    },
  },
  {
    name: 'control-metafont',
    request: {
      source: article(String.raw`\font\stroke=strokes\stroke A`),
      files: [['strokes.mf', METAFONT]],
      timeout: 60_000,
    },
  },
  {
    name: 'control-sub-folders',
    request: { source: article(String.raw`\include{parts/one}`), files: [['parts/one.tex', 'One.']] },
  },
  {
    name: 'control-unicode-name',
    request: { source: article(String.raw`\input{résumé}`), files: [['résumé.tex', 'Résumé.']] },
  },
  {
    name: 'control-name-with-space',
    request: { source: article(String.raw`\input{"two words"}`), files: [['two words.tex', 'Two words.']] },
  },
  {
    name: 'control-own-output-read-back',
    request: {
      source: article(
        String.raw`\newwrite\f\immediate\openout\f=own.txt \immediate\write\f{back}\immediate\closeout\f \input{own.txt}`,
      ),
    },
  },
  { name: 'control-error-with-pdf', request: { source: article(String.raw`Text \undefinedmacro.`) } },
  {
    name: 'control-references',
    request: { source: article(String.raw`\tableofcontents\section{One}\label{one}See \ref{one}.`) },
  },
  { name: 'control-lua', request: luaRequest('tex.print(string.rep("x", 10))') },
  {
    name: 'control-tikz',
    request: {
      source: article(
        String.raw`\begin{tikzpicture}\draw (0,0) rectangle (1,1);\end{tikzpicture}`,
        String.raw`\usepackage{tikz}`,
      ),
    },
  },
].map((control) => ({ ...control, outcome: 'compiles' as const, isQuick: control.isQuick === true }) as HostileCase)
