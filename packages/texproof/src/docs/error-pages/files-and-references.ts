import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw
const bibliography =
  '@book{green1838,\n  title = {Tides}, author = {Green, G.}, publisher = {Deighton}, year = 1838\n}\n'
const citing = (key: string, style = 'plain', database = 'references'): string =>
  article(`As shown before \\cite{${key}}.\n\\bibliographystyle{${style}}\n\\bibliography{${database}}`)

/** Pictures, sources, labels, citations and bibliographies that are not where they are looked for. */
export const fileAndReferencePages: readonly ErrorPage[] = [
  {
    code: 'missing-file',
    title: 'A file was not found',
    means:
      'A picture or a part of the document is not where the document says. What is not in the commit is not here, even if it lies in your folder.',
    mend: 'Look at the name, letter by letter: Plot.pdf and plot.pdf are two files here. Push it along if it is not in the repository; git status and .gitignore tell why it may be missing.',
    example: {
      source: article(r`\input{sections/intro}`),
      says: r`LaTeX Error: File ${'`'}sections/intro.tex' not found.`,
      mended: article(r`\input{sections/introduction}`),
      files: { 'sections/introduction.tex': 'The tide rises.\n' },
    },
  },
  {
    code: 'missing-bibliography',
    title: 'The bibliography was not found',
    means: 'BibTeX looks for the file that \\bibliography names, with .bib at its end, beside the document.',
    mend: 'Look at how the name is written, without .bib. Push the file along if it is not in the repository.',
    example: {
      source: citing('green1838', 'plain', 'literature'),
      says: "I couldn't open database file literature.bib",
      mended: citing('green1838'),
      files: { 'references.bib': bibliography },
    },
  },
  {
    code: 'missing-bibliography-style',
    title: 'The style of the bibliography was not found',
    means: 'BibTeX looks for the file that \\bibliographystyle names, with .bst at its end.',
    mend: 'Look at how the name is written: plain, abbrv, alpha and unsrt are always there. A style from a publisher can lie in the repository beside the document.',
    example: {
      source: citing('green1838', 'tides'),
      says: "I couldn't open style file tides.bst",
      mended: citing('green1838'),
      files: { 'references.bib': bibliography },
    },
  },
  {
    code: 'undefined-citation',
    title: 'A citation is not in the bibliography',
    means: 'No entry of the bibliography has the key that is cited. The PDF shows a question mark in its place.',
    mend: 'Look at how the key is written, and whether the entry is in the file that \\bibliography names.',
    example: {
      source: citing('gren1838'),
      says: r`LaTeX Warning: Citation ${'`'}gren1838' on page 1 undefined`,
      mended: citing('green1838'),
      files: { 'references.bib': bibliography },
    },
  },
  {
    code: 'undefined-reference',
    title: 'A reference leads nowhere',
    means: 'No \\label has the name that \\ref asks for. The PDF shows two question marks in its place.',
    mend: 'Look at how the name is written. A \\label comes after the \\section, \\caption or \\begin{equation} that it names.',
    example: {
      source: article('\\section{High}\\label{sec:high}\nSee section~\\ref{sec:hihg}.'),
      says: r`LaTeX Warning: Reference ${'`'}sec:hihg' on page 1 undefined`,
      mended: article('\\section{High}\\label{sec:high}\nSee section~\\ref{sec:high}.'),
    },
  },
  {
    code: 'multiply-defined-label',
    title: 'Two places have the same label',
    means:
      'References to this label lead to the last of them, which is the wrong one for half of the readers. It happens when a paragraph is copied.',
    mend: 'Give each place a label of its own.',
    example: {
      source: article(
        '\\section{High}\\label{sec:water}\n\\section{Low}\\label{sec:water}\nSee section~\\ref{sec:water}.',
      ),
      says: r`LaTeX Warning: Label ${'`'}sec:water' multiply defined.`,
      mended: article('\\section{High}\\label{sec:high}\n\\section{Low}\\label{sec:low}\nSee section~\\ref{sec:low}.'),
    },
  },
  {
    code: 'bibliography-syntax',
    title: 'A bibliography entry has a syntax error',
    means:
      'BibTeX or biber could not read an entry of the .bib file. A comma after a field is missing, or a brace or quote is not closed. The rest of the entry was skipped.',
    mend: 'Look at the line in the message and at the line before it. Every field ends with a comma, and every brace and quote must be closed.',
    example: {
      source: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      files: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green}\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n',
      },
      says: "I was expecting a `,' or a `}'",
      mended: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      mendedFiles: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green},\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n',
      },
    },
  },
  {
    code: 'repeated-entry',
    title: 'Two bibliography entries have the same key',
    means: 'A key names one entry. BibTeX used the first one with this key and skipped the other.',
    mend: 'Remove one of the entries, or give it another key.',
    example: {
      source: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      files: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green},\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n@misc{green1838,\n  title = {Notes},\n}\n',
      },
      says: 'Repeated entry',
      mended: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      mendedFiles: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green},\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n',
      },
    },
  },
  {
    code: 'biblatex-mismatch',
    title: 'biber and biblatex of this host do not fit',
    means:
      'The two are released together, and each understands only its partner. Here they come from two releases: the host has the problem, not the paper.',
    mend: 'Tell the administrator: texproof doctor names both versions, and so does /status/tex. Until then the package natbib with BibTeX works, or biblatex with backend=bibtex.',
    example: null,
  },
]
