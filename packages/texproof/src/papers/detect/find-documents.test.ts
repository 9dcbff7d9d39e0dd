import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findDocuments } from './find-documents.ts'
import type { FoundDocuments } from './types.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'
const DEFAULT_ENGINE = 'default engine'

function article(preamble: string, body = 'Text.'): string {
  return `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`
}

function treeOf(files: Readonly<Record<string, string>>): Parameters<typeof findDocuments>[0] {
  return { paths: new Set(Object.keys(files)), readText: async (path) => files[path] ?? null }
}

/** One line per document: root, name, engine, bibliography, reason. */
function summarize(found: FoundDocuments): readonly string[] | string {
  if (found.kind === 'none' || found.kind === 'unreadable') return found.kind
  if (found.kind === 'misconfigured') return `${found.file}: ${found.message}`
  return found.documents.map(({ rootFile, name, engine, bibliography, reason }) =>
    [rootFile, name, engine, bibliography, reason].join(' | '),
  )
}

interface Shape {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly expected: readonly string[] | string
}

const shapes: readonly Shape[] = [
  { name: 'an empty tree', files: {}, expected: 'none' },
  { name: 'code without LaTeX', files: { 'README.md': '# code', 'src/a.ts': 'export {}' }, expected: 'none' },
  {
    name: 'one root at the top',
    files: { 'paper.tex': ARTICLE },
    expected: [`paper.tex | paper | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'numbered documents, in the order of their numbers',
    files: { 'sheet1.tex': ARTICLE, 'sheet10.tex': ARTICLE, 'sheet2.tex': ARTICLE },
    expected: ['sheet1', 'sheet2', 'sheet10'].map(
      (name) => `${name}.tex | ${name} | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`,
    ),
  },
  {
    name: 'numbered documents of a pattern in a latexmkrc, in the order of their numbers',
    files: {
      latexmkrc: "@default_files = ('sheet*');\n",
      'sheet1.tex': ARTICLE,
      'sheet10.tex': ARTICLE,
      'sheet2.tex': ARTICLE,
    },
    expected: ['sheet1', 'sheet2', 'sheet10'].map(
      (name) => `${name}.tex | ${name} | pdflatex | none | listed in latexmkrc, ${DEFAULT_ENGINE}`,
    ),
  },
  {
    name: 'one root in a sub-folder',
    files: { 'README.md': '', 'paper/paper.tex': ARTICLE },
    expected: [`paper/paper.tex | paper | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a main.tex with included parts',
    files: {
      'main.tex': article('', '\\input{sections/intro}\n\\include{sections/end}'),
      'sections/intro.tex': 'Intro',
      'sections/end.tex': 'End',
    },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a main.tex beside drafts in a sub-folder',
    files: { 'main.tex': ARTICLE, 'old/main-2019.tex': ARTICLE },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a main.tex beside other documents',
    files: { 'cv.tex': ARTICLE, 'main.tex': ARTICLE, 'talk.tex': ARTICLE },
    expected: [
      `main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`,
      `cv.tex | cv | pdflatex | none | a separate document beside main.tex, ${DEFAULT_ENGINE}`,
      `talk.tex | talk | pdflatex | none | a separate document beside main.tex, ${DEFAULT_ENGINE}`,
    ],
  },
  {
    name: 'many sheets',
    files: { 'sheet01.tex': ARTICLE, 'sheet02.tex': ARTICLE, 'header.tex': '\\usepackage{amsmath}' },
    expected: [
      `sheet01.tex | sheet01 | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`,
      `sheet02.tex | sheet02 | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`,
    ],
  },
  {
    name: 'documents of one name in several folders',
    files: { 'week1/sheet.tex': ARTICLE, 'week2/sheet.tex': ARTICLE },
    expected: [
      `week1/sheet.tex | week1-sheet | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`,
      `week2/sheet.tex | week2-sheet | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`,
    ],
  },
  {
    name: 'a root that another file inputs with its own preamble',
    files: {
      'book.tex': article('', '\\subfile{chapter}'),
      'chapter.tex': '\\documentclass[book]{subfiles}\n\\begin{document}x\\end{document}',
    },
    expected: [`book.tex | book | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'standalone figures',
    files: {
      'paper.tex': ARTICLE,
      'figs/plot.tex': '\\documentclass[tikz]{standalone}\n\\begin{document}x\\end{document}',
    },
    expected: [`paper.tex | paper | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a class line and a body in different files',
    files: { 'thesis.tex': '\\documentclass{book}\n\\input{body}', 'body.tex': '\\begin{document}x\\end{document}' },
    expected: [`thesis.tex | thesis | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a preamble without a body',
    files: { 'preamble.tex': '\\documentclass{article}\n\\usepackage{amsmath}' },
    expected: 'none',
  },
  {
    name: 'a manual that shows LaTeX in listings',
    files: {
      'manual.tex': article('', '\\begin{verbatim}\n\\documentclass{book}\n\\input{other}\n\\end{verbatim}'),
      'other.tex': ARTICLE.replace('Text.', '\\verb|\\input{manual}|'),
    },
    expected: [
      `manual.tex | manual | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`,
      `other.tex | other | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`,
    ],
  },
  {
    name: 'a commented-out class line',
    files: { 'notes.tex': '% \\documentclass{article}\n% \\begin{document}\nnotes' },
    expected: 'none',
  },
  {
    name: 'documents in hidden folders',
    files: { '.github/template.tex': ARTICLE },
    expected: 'none',
  },
  {
    name: 'a latexmkrc with default files and an engine',
    files: {
      latexmkrc: "# build\n@default_files = ('thesis', 'talk.tex');\n$pdf_mode = 4; # lualatex",
      'thesis.tex': ARTICLE,
      'talk.tex': ARTICLE,
      'scratch.tex': ARTICLE,
    },
    expected: [
      'thesis.tex | thesis | lualatex | none | listed in latexmkrc, engine set in latexmkrc',
      'talk.tex | talk | lualatex | none | listed in latexmkrc, engine set in latexmkrc',
    ],
  },
  {
    name: 'a .latexmkrc that sets the program of pdflatex',
    files: {
      '.latexmkrc': "$pdf_mode = 1;\n$pdflatex = 'xelatex -interaction=nonstopmode %O %S';",
      'paper.tex': ARTICLE,
    },
    expected: ['paper.tex | paper | xelatex | none | the only document, engine set in latexmkrc'],
  },
  {
    name: 'drawings of pstricks, which latexmkrc wants through DVI',
    files: { latexmkrc: '$pdf_mode = 2;', 'main.tex': article('\\usepackage{pstricks}') },
    expected: ['main.tex | main | latex | none | named main.tex, engine set in latexmkrc'],
  },
  {
    name: 'a latexmkrc for Japanese',
    files: {
      '.latexmkrc': "$latex = 'uplatex %O %S';\n$dvipdf = 'dvipdfmx %O -o %D %S';\n$pdf_mode = 3;",
      'main.tex': article(''),
    },
    expected: ['main.tex | main | uplatex | none | named main.tex, engine set in latexmkrc'],
  },
  {
    name: 'a Japanese class with the option for upLaTeX',
    files: { 'main.tex': ARTICLE.replace('{article}', '[uplatex,dvipdfmx]{jsarticle}') },
    expected: ['main.tex | main | uplatex | none | named main.tex, jsarticle in main.tex:1'],
  },
  {
    name: 'text in EPS pictures that psfrag replaces',
    files: { 'main.tex': article('\\usepackage{psfrag,pstricks}', '\\psfrag{x}{$x$}') },
    expected: ['main.tex | main | latex | none | named main.tex, \\psfrag in main.tex:4'],
  },
  {
    name: 'drawings of a package that extends pstricks',
    files: { 'main.tex': article('\\usepackage{pst-contourplot}') },
    expected: ['main.tex | main | xelatex | none | named main.tex, pst-contourplot in main.tex:2'],
  },
  {
    name: 'a class that TeX Live has for XeLaTeX only',
    files: { 'main.tex': ARTICLE.replace('{article}', '{langscibook}') },
    expected: ['main.tex | main | xelatex | none | named main.tex, langscibook in main.tex:1'],
  },
  {
    name: 'a package in Lua',
    files: { 'main.tex': article('\\usepackage{fontspec,luakeys}') },
    expected: ['main.tex | main | lualatex | none | named main.tex, luakeys in main.tex:2'],
  },
  {
    name: 'Markdown, which other engines convert by a program',
    files: { 'main.tex': article('\\usepackage{markdown}') },
    expected: ['main.tex | main | lualatex | none | named main.tex, markdown in main.tex:2'],
  },
  {
    name: 'a package for LuaTeX that pdfLaTeX can load',
    files: { 'main.tex': article('\\usepackage{luatex85}') },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a Japanese class for several engines',
    files: { 'main.tex': ARTICLE.replace('{article}', '{jlreq}') },
    expected: ['main.tex | main | lualatex | none | named main.tex, jlreq in main.tex:1'],
  },
  {
    name: 'a Japanese class for several engines with an option for one',
    files: { 'main.tex': ARTICLE.replace('{article}', '[platex,dvi=dvipdfmx,ja=standard]{bxjsarticle}') },
    expected: ['main.tex | main | platex | none | named main.tex, bxjsarticle in main.tex:1'],
  },
  {
    name: 'comments for arara',
    files: { 'main.tex': `% arara: xelatex: { shell: yes }\n% arara: biber\n${ARTICLE}` },
    expected: ['main.tex | main | xelatex | none | named main.tex, "% arara: xelatex"'],
  },
  {
    name: 'comments for arara that call latexmk, and a latexmkrc',
    files: { latexmkrc: '$pdf_mode = 5;', 'main.tex': `% arara: latexmk: { engine: lualatex }\n${ARTICLE}` },
    expected: ['main.tex | main | xelatex | none | named main.tex, engine set in latexmkrc'],
  },
  {
    name: 'file variables of Emacs',
    files: { 'main.tex': `${ARTICLE}\n%%% Local Variables:\n%%% TeX-engine: luatex\n%%% TeX-master: t\n%%% End:\n` },
    expected: ['main.tex | main | lualatex | none | named main.tex, "TeX-engine: luatex"'],
  },
  {
    name: 'graphics for dvips',
    files: { 'main.tex': article('\\usepackage[dvips]{graphicx}') },
    expected: ['main.tex | main | latex | none | named main.tex, graphicx in main.tex:2'],
  },
  {
    name: 'colors for dvips, which do not concern pictures',
    files: { 'main.tex': article('\\usepackage[dvips]{color}') },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a magic comment for latex, which means pdfLaTeX in some editors',
    files: { 'main.tex': `% !TEX TS-program = latex\n${ARTICLE}` },
    expected: ['main.tex | main | pdflatex | none | named main.tex, "% !TEX program = latex"'],
  },
  {
    name: 'a magic comment for latex in a document with PostScript',
    files: { 'main.tex': `% !TEX program = latex\n${article('\\usepackage{pstricks}')}` },
    expected: ['main.tex | main | latex | none | named main.tex, "% !TEX program = latex"'],
  },
  {
    name: 'slides of a class that draws with PostScript',
    files: { 'main.tex': ARTICLE.replace('{article}', '{powerdot}') },
    expected: ['main.tex | main | latex | none | named main.tex, powerdot in main.tex:1'],
  },
  {
    name: 'a magic comment for latex in slides of a class that draws with PostScript',
    files: { 'main.tex': `% !TEX program = latex\n${ARTICLE.replace('{article}', '[pdf]{prosper}')}` },
    expected: ['main.tex | main | latex | none | named main.tex, "% !TEX program = latex"'],
  },
  {
    name: 'drawings of pstricks that pdfLaTeX reads from another file',
    files: { 'main.tex': article('\\usepackage{pst-pdf,pst-plot}') },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'drawings of pstricks that pdfLaTeX cannot make without a shell',
    files: { 'main.tex': article('\\usepackage{auto-pst-pdf,pst-plot}') },
    expected: ['main.tex | main | xelatex | none | named main.tex, auto-pst-pdf in main.tex:2'],
  },
  {
    name: 'a class in a folder that a latexmkrc puts on the search path',
    files: {
      'main.tex': ARTICLE.replace('{article}', '{pier}'),
      'tex/classes/pier.cls': '\\LoadClass{article}\n\\RequirePackage{fontspec}',
      latexmkrc: "ensure_path('TEXINPUTS', './tex//');",
    },
    expected: ['main.tex | main | xelatex | none | named main.tex, fontspec in tex/classes/pier.cls:2'],
  },
  {
    name: 'a bibliography of bibentry',
    files: { 'main.tex': article('\\usepackage{bibentry}', '\\bibliographystyle{plain}\n\\nobibliography{refs}') },
    expected: [`main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, \\bibliography in main.tex:5`],
  },
  {
    name: 'bibliographies of bibtopic',
    files: {
      'main.tex': article('\\usepackage{bibtopic}', '\\begin{btSect}[plain]{refs}\n\\btPrintCited\n\\end{btSect}'),
    },
    expected: [`main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, \\bibliography in main.tex:4`],
  },
  {
    name: 'a bibliography for each chapter',
    files: {
      'main.tex': article('\\usepackage{bibunits}\n\\defaultbibliography{refs}', '\\bibliographystyle{plain}\\putbib'),
    },
    expected: [`main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, \\bibliography in main.tex:3`],
  },
  {
    name: 'a source with the line ends of old Macs',
    files: { 'paper.tex': `% !TEX program = xelatex\r${ARTICLE.replaceAll('\n', '\r')}` },
    expected: ['paper.tex | paper | xelatex | none | the only document, "% !TEX program = xelatex"'],
  },
  {
    name: 'a submission to arXiv, whose settings name the sources and the engine',
    files: {
      '00README.json': JSON.stringify({
        process: { compiler: 'lualatex' },
        sources: [
          { filename: 'ms.tex', usage: 'toplevel' },
          { filename: 'old.tex', usage: 'ignore' },
          { filename: 'absent.tex', usage: 'toplevel' },
        ],
      }),
      'ms.tex': ARTICLE,
      'main.tex': ARTICLE,
      'old.tex': ARTICLE,
    },
    expected: ['ms.tex | ms | lualatex | none | listed in 00README.json, engine set in 00README.json'],
  },
  {
    name: 'a submission to arXiv, whose settings are YAML',
    files: {
      '00README.yaml':
        '# Written by arXiv\r\nprocess:\r\n  compiler: xelatex\r\n  fontmaps:\r\n    - own.map\r\nsources:\r\n  - filename: "my paper.tex"\r\n    usage: toplevel  # the paper\r\n    fontmaps:\r\n      - own.map\r\n  - {usage: ignore, filename: old.tex}\r\nstamp: false\r\n',
      'my paper.tex': ARTICLE,
      'main.tex': ARTICLE,
      'old.tex': ARTICLE,
    },
    expected: ['my paper.tex | my paper | xelatex | none | listed in 00README.yaml, engine set in 00README.yaml'],
  },
  {
    name: 'a submission to arXiv, whose settings are YAML without indentation',
    files: {
      '00README.yml': "sources:\n- usage: toplevel\n  filename: 'ms.tex'\n- filename: old.tex\n  usage: ignore\n",
      'ms.tex': ARTICLE,
      'main.tex': ARTICLE,
      'old.tex': ARTICLE,
    },
    expected: [`ms.tex | ms | pdflatex | none | listed in 00README.yml, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a submission to arXiv, whose settings are TOML',
    files: {
      '00README.toml': '[process]\ncompiler = "lualatex"\n[[sources]]\nfilename = "ms.tex"\nusage = "toplevel"\n',
      'ms.tex': ARTICLE,
      'main.tex': ARTICLE,
    },
    expected: ['ms.tex | ms | lualatex | none | listed in 00README.toml, engine set in 00README.toml'],
  },
  {
    name: 'an older submission to arXiv, whose settings are lines',
    files: {
      '00README.XXX': 'nohypertex\r\n./ms.tex  toplevelfile\r\nold.tex ignore\nabsent.tex toplevelfile\n',
      'ms.tex': ARTICLE,
      'main.tex': ARTICLE,
      'old.tex': ARTICLE,
    },
    expected: [`ms.tex | ms | pdflatex | none | listed in 00README.XXX, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a submission to arXiv, whose settings only name the sources that are not built',
    files: {
      '00README.json': JSON.stringify({
        sources: [
          { filename: 'old.tex', usage: 'ignore' },
          { filename: './appendix.tex', usage: 'include' },
        ],
      }),
      'ms.tex': ARTICLE,
      'old.tex': ARTICLE,
      'appendix.tex': ARTICLE,
    },
    expected: [`ms.tex | ms | pdflatex | none | not included by another file, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'an older submission to arXiv, whose settings are lines about sources that are not built',
    files: {
      '00README.XXX': 'main-v1.tex ignore\r\nnohypertex\r\n',
      'main.tex': ARTICLE,
      'main-v1.tex': ARTICLE,
    },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'settings for arXiv in both formats',
    files: {
      '00README.json': JSON.stringify({ sources: [{ filename: 'ms.tex', usage: 'toplevel' }] }),
      '00README.XXX': 'main.tex toplevelfile\n',
      'ms.tex': ARTICLE,
      'main.tex': ARTICLE,
    },
    expected: [`ms.tex | ms | pdflatex | none | listed in 00README.json, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'settings for arXiv that cannot be read',
    files: { '00README.json': '{"process": null, "sources": [1]', 'main.tex': ARTICLE },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a latexmkrc that would run a command',
    files: { latexmkrc: 'system("touch owned"); $pdf_mode = 5;', 'paper.tex': ARTICLE },
    expected: ['paper.tex | paper | xelatex | none | the only document, engine set in latexmkrc'],
  },
  {
    name: 'a latexmkrc with a pattern in a list of words',
    files: {
      latexmkrc: '@default_files = qw(sheet*.tex);',
      'sheet1.tex': ARTICLE,
      'sheet2.tex': ARTICLE,
      'other.tex': ARTICLE,
    },
    expected: [
      `sheet1.tex | sheet1 | pdflatex | none | listed in latexmkrc, ${DEFAULT_ENGINE}`,
      `sheet2.tex | sheet2 | pdflatex | none | listed in latexmkrc, ${DEFAULT_ENGINE}`,
    ],
  },
  {
    name: 'a latexmkrc beside a root in a sub-folder',
    files: { 'paper/latexmkrc': '$pdf_mode = 5;', 'paper/paper.tex': ARTICLE },
    expected: ['paper/paper.tex | paper | xelatex | none | the only document, engine set in latexmkrc'],
  },
  {
    name: 'a magic root comment in a chapter',
    files: {
      'book.tex': article('', '\\input{chapters/one}'),
      'chapters/one.tex': '% !TEX root = ../book.tex\nOne',
      'extra/demo.tex': ARTICLE,
    },
    expected: [`book.tex | book | pdflatex | none | "% !TEX root" in chapters/one.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a magic root comment that names nothing',
    files: { 'paper.tex': `% !TEX root = gone.tex\n${ARTICLE}` },
    expected: [`paper.tex | paper | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a magic program comment',
    files: { 'paper.tex': `% !TEX TS-program = LuaLaTeX\n${ARTICLE}` },
    expected: ['paper.tex | paper | lualatex | none | the only document, "% !TEX program = lualatex"'],
  },
  {
    name: 'fontspec in the preamble',
    files: { 'paper.tex': article('\\usepackage{fontspec}') },
    expected: ['paper.tex | paper | xelatex | none | the only document, fontspec in paper.tex:2'],
  },
  {
    name: 'a class that loads fontspec',
    files: { 'paper.tex': ARTICLE.replace('{article}', '{univie-ling-paper}') },
    expected: ['paper.tex | paper | xelatex | none | the only document, univie-ling-paper in paper.tex:1'],
  },
  {
    name: 'fontspec in an included preamble',
    files: {
      'paper.tex': article('\\input{setup/preamble}'),
      'setup/preamble.tex': '\n\n\\usepackage{amsmath,fontspec}',
    },
    expected: ['paper.tex | paper | xelatex | none | the only document, fontspec in setup/preamble.tex:3'],
  },
  {
    name: 'fontspec behind a question in a class of the tree',
    files: {
      'paper.tex': '\\documentclass{house}\n\\begin{document}x\\end{document}',
      'house.cls': '\\RequirePackage{iftex}\\ifPDFTeX\\else\\RequirePackage{fontspec}\\fi',
    },
    expected: [`paper.tex | paper | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'Lua code beside fontspec',
    files: { 'paper.tex': article('\\usepackage{fontspec}', '\\directlua{tex.print(1)}') },
    expected: ['paper.tex | paper | lualatex | none | the only document, \\directlua in paper.tex:4'],
  },
  {
    name: 'Chinese with a ctex class',
    files: { 'main.tex': '\\documentclass[UTF8]{ctexart}\n\\begin{document}x\\end{document}' },
    expected: ['main.tex | main | xelatex | none | named main.tex, ctexart in main.tex:1'],
  },
  {
    name: 'a classic bibliography',
    files: { 'main.tex': article('', 'See.\n\\bibliography{refs}'), 'refs.bib': '@book{a}' },
    expected: [`main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, \\bibliography in main.tex:5`],
  },
  {
    name: 'a bibliography of biblatex that a package of the machine loads',
    files: {
      'main.tex': article('\\usepackage{cleanthesis}', '\\cite{darwin}\n\\printbibliography[title=Web]'),
    },
    expected: [
      `main.tex | main | pdflatex | biber | named main.tex, ${DEFAULT_ENGINE}, \\printbibliography in main.tex:5`,
    ],
  },
  {
    name: 'citations whose database a class of the machine names',
    files: { 'main.tex': article('', '\\citep[p.~1]{darwin}') },
    expected: [`main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, \\cite in main.tex:4`],
  },
  {
    name: 'citations with references in the source',
    files: {
      'main.tex': article('', '\\cite{a}\\input{refs}'),
      'refs.tex': '\\begin{thebibliography}{9}\\bibitem{a} A.\\end{thebibliography}',
    },
    expected: [`main.tex | main | pdflatex | none | named main.tex, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'biblatex with its default tool',
    files: { 'main.tex': article('\\usepackage[style=numeric]{biblatex}\n\\addbibresource{refs.bib}') },
    expected: [`main.tex | main | pdflatex | biber | named main.tex, ${DEFAULT_ENGINE}, biblatex in main.tex:2`],
  },
  {
    name: 'biblatex with BibTeX, options over several lines',
    files: { 'main.tex': article('\\usepackage[\n  style = numeric,\n  backend = bibtex,\n]{biblatex}') },
    expected: [
      `main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, biblatex with backend=bibtex in main.tex:2`,
    ],
  },
  {
    name: 'REVTeX without a bibliography, which sets footnotes with BibTeX',
    files: {
      'main.tex': '\\documentclass[prl]{revtex4-2}\n\\begin{document}\nText\\footnote{Note.}\n\\end{document}\n',
    },
    expected: [`main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, revtex4-2 in main.tex`],
  },
  {
    name: 'biblatex options passed from elsewhere',
    files: { 'main.tex': article('\\PassOptionsToPackage{backend=bibtex}{biblatex}\n\\usepackage{biblatex}') },
    expected: [
      `main.tex | main | pdflatex | bibtex | named main.tex, ${DEFAULT_ENGINE}, biblatex with backend=bibtex in main.tex:3`,
    ],
  },
  {
    name: 'a .texproof.toml that says everything',
    files: {
      '.texproof.toml':
        '[[document]]\nroot = "thesis.tex"\nname = "dissertation"\nengine = "lualatex"\nbibliography = "biber"\n[build]\ntimeout = "120s"\n',
      'main.tex': ARTICLE,
      'thesis.tex': ARTICLE,
    },
    expected: [
      'thesis.tex | dissertation | lualatex | biber | listed in .texproof.toml, engine set in .texproof.toml, bibliography tool set in .texproof.toml',
    ],
  },
  {
    name: 'a .texproof.toml with build settings only',
    files: { '.texproof.toml': '[build]\nauto = "default"\n', 'paper.tex': ARTICLE },
    expected: [`paper.tex | paper | pdflatex | none | the only document, ${DEFAULT_ENGINE}`],
  },
  {
    name: 'a .texproof.toml that names a missing root',
    files: { '.texproof.toml': '[[document]]\nroot = "gone.tex"\n', 'paper.tex': ARTICLE },
    expected: '.texproof.toml: root "gone.tex" is not in the repository',
  },
  {
    name: 'a .texproof.toml with a misspelled key',
    files: { '.texproof.toml': '[[document]]\nroot = "paper.tex"\nengin = "xelatex"\n', 'paper.tex': ARTICLE },
    expected: '.texproof.toml: unknown key "engin" in document[1]',
  },
  {
    name: 'a .texproof.toml that is no TOML',
    files: { '.texproof.toml': 'root = [', 'paper.tex': ARTICLE },
    expected: '.texproof.toml: line 1: unfinished array',
  },
]

for (const { name, files, expected } of shapes) {
  test(`findDocuments() in ${name}`, async () => {
    const found = await findDocuments(treeOf(files))
    assert.deepEqual(summarize(found), expected)
  })
}

test('findDocuments() chooses the tools of a requested file that would not be built', async () => {
  const drawing = '% !TEX program = LuaLaTeX\n\\documentclass{standalone}\n\\begin{document}x\\end{document}'
  const files = { 'main.tex': ARTICLE, 'figures/map.tex': drawing }
  const tools = async (requested: string) => {
    const found = await findDocuments(treeOf(files), { requested })
    return found.kind === 'found' ? found.documents.map(({ rootFile, engine }) => `${rootFile} ${engine}`) : found
  }
  assert.deepEqual(
    [await tools('figures/map.tex'), await tools('main.tex'), await tools('missing.tex')],
    [['main.tex pdflatex', 'figures/map.tex lualatex'], ['main.tex pdflatex'], ['main.tex pdflatex']],
  )
})

test('findDocuments() names a figure in a tree without a document', async () => {
  const figure = '\\documentclass[tikz]{standalone}\n\\begin{document}x\\end{document}'
  const near = { kind: 'part', path: 'plot.tex', documentClass: 'standalone' }
  assert.deepEqual(await findDocuments(treeOf({ 'figs/map.tex': figure, 'plot.tex': figure })), { kind: 'none', near })
})

test('findDocuments() names a plain TeX file in a tree without a document', async () => {
  const notes = { path: 'notes.tex', text: 'Notes of a talk, to be read by \\input.\n' }
  for (const text of ['\\magnification=1200\nHello.\n\\bye\n', 'Hello.\n\\vfill\\eject\n\\end % of the file\n'])
    assert.deepEqual(await findDocuments(treeOf({ [notes.path]: notes.text, 'main.tex': text })), {
      kind: 'none',
      near: { kind: 'plain-tex', path: 'main.tex' },
    })
})

test('findDocuments() names the source of a package in a tree without a document', async () => {
  const files = { 'README.md': '', 'node_modules/a.dtx': '', 'old/tides.dtx': '', 'tides.dtx': '', 'tides.ins': '' }
  assert.deepEqual(await findDocuments(treeOf(files)), { kind: 'none', near: { kind: 'dtx', path: 'tides.dtx' } })
})

test('findDocuments() names a source of knitr in a tree without a document', async () => {
  const files = { 'README.md': '', 'paper.Rnw': '\\documentclass{article}', 'analysis.R': '' }
  assert.deepEqual(await findDocuments(treeOf(files)), { kind: 'none', near: { kind: 'rnw', path: 'paper.Rnw' } })
})

test('findDocuments() names no file of a tree with parts of LaTeX documents only', async () => {
  const files = { 'part.tex': '\\begin{center}Text.\\end{center}\n', 'a.tex': '% \\bye\n\\verb|\\bye|\n' }
  assert.deepEqual(await findDocuments(treeOf(files)), { kind: 'none', near: null })
})

test('findDocuments() returns the build trigger of a repository', async () => {
  const found = await findDocuments(treeOf({ '.texproof.toml': '[build]\nauto = "demand"\n', 'paper.tex': ARTICLE }))
  assert.deepEqual(found.kind === 'found' && found.trigger, 'demand')
})

test('findDocuments() stops at 100 documents', async () => {
  const files = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`sheet${at}.tex`, ARTICLE]))
  const found = await findDocuments(treeOf(files))
  assert.equal(found.kind === 'found' && found.documents.length, 100)
})

test('findDocuments() says that a root in .texproof.toml is a symbolic link', async () => {
  const tree = treeOf({ '.texproof.toml': '[[document]]\nroot = "thesis.tex"\n', 'src/thesis.tex': ARTICLE })
  assert.equal(
    summarize(await findDocuments({ ...tree, links: new Set(['thesis.tex']) })),
    '.texproof.toml: root "thesis.tex" is a symbolic link: name its target instead',
  )
})
