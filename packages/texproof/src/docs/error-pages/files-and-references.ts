import { article } from './types.ts'
import type { ErrorPage } from './types.ts'

const r = String.raw
const bibliography =
  '@book{green1838,\n  title = {Tides}, author = {Green, G.}, publisher = {Deighton}, year = 1838\n}\n'
const citing = (key: string, style = 'plain', database = 'references'): string =>
  article(`As shown before \\cite{${key}}.\n\\bibliographystyle{${style}}\n\\bibliography{${database}}`)

/** Missing images, sources, labels, citations and bibliographies. */
export const fileAndReferencePages: readonly ErrorPage[] = [
  {
    code: 'postscript-error',
    title: 'PostScript code failed',
    means:
      'The engine LaTeX creates a DVI file, dvips converts it to PostScript, and Ghostscript converts that to PDF. Drawings of pstricks, arguments of \\special and EPS pictures contain PostScript code. An error in it stops Ghostscript, which cannot report the line of the source.',
    fix: 'Look for the operator named in the message, for example div for a division by zero. If no line is shown, remove half of the pictures, compile, and continue with the half that fails.',
    // The engine latex is available in projects, but not in the compile API.
    example: null,
  },
  {
    code: 'missing-file',
    title: 'A file was not found',
    means:
      'An image or a part of the document was not found. Files must be part of the commit; files that exist only in your local folder are not available.',
    fix: 'Check the spelling: names are case-sensitive, so Plot.pdf and plot.pdf are different files. If the file is not in the repository, add and push it; git status and .gitignore show why it may be missing.',
    example: {
      source: article(r`\input{sections/intro}`),
      says: r`LaTeX Error: File ${'`'}sections/intro.tex' not found.`,
      fixed: article(r`\input{sections/introduction}`),
      files: { 'sections/introduction.tex': 'The tide rises.\n' },
    },
  },
  {
    code: 'missing-bibliography',
    title: 'The bibliography was not found',
    means: 'BibTeX looks for the file named by \\bibliography, with the extension .bib, beside the document.',
    fix: 'Check the spelling, without .bib. If the file is not in the repository, add and push it.',
    example: {
      source: citing('green1838', 'plain', 'literature'),
      says: "I couldn't open database file literature.bib",
      fixed: citing('green1838'),
      files: { 'references.bib': bibliography },
    },
  },
  {
    code: 'missing-bibliography-style',
    title: 'The bibliography style was not found',
    means: 'BibTeX looks for the file named by \\bibliographystyle, with the extension .bst.',
    fix: 'Check the spelling. plain, abbrv, alpha and unsrt are always available. Add a style of a publisher to the repository, beside the document.',
    example: {
      source: citing('green1838', 'tides'),
      says: "I couldn't open style file tides.bst",
      fixed: citing('green1838'),
      files: { 'references.bib': bibliography },
    },
  },
  {
    code: 'undefined-citation',
    title: 'A citation is not in the bibliography',
    means: 'The bibliography has no entry with the cited key. The PDF shows a question mark instead.',
    fix: 'Check the spelling of the key, and whether the entry is in the file named by \\bibliography.',
    example: {
      source: citing('gren1838'),
      says: r`LaTeX Warning: Citation ${'`'}gren1838' on page 1 undefined`,
      fixed: citing('green1838'),
      files: { 'references.bib': bibliography },
    },
  },
  {
    code: 'undefined-reference',
    title: 'A reference is undefined',
    means: 'No \\label has the name used in \\ref. The PDF shows two question marks instead.',
    fix: 'Check the spelling. \\label must come after the \\section, \\caption or \\begin{equation} it refers to.',
    example: {
      source: article('\\section{High}\\label{sec:high}\nSee section~\\ref{sec:hihg}.'),
      says: r`LaTeX Warning: Reference ${'`'}sec:hihg' on page 1 undefined`,
      fixed: article('\\section{High}\\label{sec:high}\nSee section~\\ref{sec:high}.'),
    },
  },
  {
    code: 'label-before-caption',
    title: 'A label is before its caption',
    means: 'A \\label belongs to the number before it. Before \\caption, that is the number of the section.',
    fix: 'Put \\label after \\caption, or inside it.',
    example: {
      source: article(
        '\\begin{table}\nTides.\n\\label{tab:tides}\n\\caption{Tides}\n\\end{table}\nSee~\\ref{tab:tides}.',
      ),
      says: r`\label{tab:tides} is before its \caption`,
      fixed: article(
        '\\begin{table}\nTides.\n\\caption{Tides}\n\\label{tab:tides}\n\\end{table}\nSee~\\ref{tab:tides}.',
      ),
    },
  },
  {
    code: 'multiply-defined-label',
    title: 'A label is defined twice',
    means: 'References to this label lead to its last definition. Copying a paragraph often causes this.',
    fix: 'Give each label a unique name.',
    example: {
      source: article(
        '\\section{High}\\label{sec:water}\n\\section{Low}\\label{sec:water}\nSee section~\\ref{sec:water}.',
      ),
      says: r`LaTeX Warning: Label ${'`'}sec:water' multiply defined.`,
      fixed: article('\\section{High}\\label{sec:high}\n\\section{Low}\\label{sec:low}\nSee section~\\ref{sec:low}.'),
    },
  },
  {
    code: 'bibliography-syntax',
    title: 'A bibliography entry has a syntax error',
    means:
      'BibTeX or biber could not read an entry of the .bib file. A comma after a field is missing, or a brace or quote is not closed. The rest of the entry was skipped.',
    fix: 'Look at the line in the message and at the line before it. Every field ends with a comma, and every brace and quote must be closed.',
    example: {
      source: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      files: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green}\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n',
      },
      says: "I was expecting a `,' or a `}'",
      fixed: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      fixedFiles: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green},\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n',
      },
    },
  },
  {
    code: 'repeated-entry',
    title: 'Two bibliography entries have the same key',
    means: 'Keys must be unique. BibTeX used the first entry with this key and skipped the other.',
    fix: 'Remove one of the entries, or change its key.',
    example: {
      source: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      files: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green},\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n@misc{green1838,\n  title = {Notes},\n}\n',
      },
      says: 'Repeated entry',
      fixed: article('\\cite{green1838}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      fixedFiles: {
        'refs.bib':
          '@book{green1838,\n  author = {George Green},\n  title = {On the Motion of Waves},\n  publisher = {CUP},\n  year = 1838,\n}\n',
      },
    },
  },
  {
    code: 'biblatex-mismatch',
    title: 'Versions of biber and biblatex do not match',
    means:
      'biber and biblatex are released together, and each version works only with its counterpart. The installation on this host has versions of two releases. Your document is not the cause.',
    fix: 'Ask the administrator of this host to update TeX: texproof doctor and /status/tex show both versions. Meanwhile, use the package natbib with BibTeX, or biblatex with backend=bibtex.',
    example: null,
  },
  {
    code: 'invalid-name',
    title: 'A name in a bibliography entry is invalid',
    means: 'Names are separated by the word "and". A name with more than two commas is ambiguous.',
    fix: 'Write {Smith, Ann and Jones, Bob}: "and" between two people, and a comma after each last name.',
    example: {
      source: article('\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      files: { 'refs.bib': '@book{smith, author={Smith, Ann, Jones, Bob}, title={Tides}, publisher={P}, year=2020}\n' },
      says: 'Too many commas in name 1 of "Smith, Ann, Jones, Bob" for entry smith',
      fixed: article('\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      fixedFiles: {
        'refs.bib': '@book{smith, author={Smith, Ann and Jones, Bob}, title={Tides}, publisher={P}, year=2020}\n',
      },
    },
  },
  {
    code: 'space-in-file-name',
    title: 'BibTeX does not accept a file name with a space',
    means:
      'The name or folder of an included chapter, or the name of a bibliography style, contains a space. BibTeX skips it.',
    fix: 'Rename the file or folder, for example with a hyphen, and change the command that names it.',
    example: {
      source: article('\\include{high tide}\n\\bibliographystyle{plain}\n\\bibliography{references}'),
      files: { 'high tide.tex': '\\cite{green1838}\n', 'references.bib': bibliography },
      says: 'White space in argument',
      context: '\\@input{high tide.aux}',
      fixed: article('\\input{high tide}\n\\bibliographystyle{plain}\n\\bibliography{references}'),
    },
  },
  {
    code: 'invalid-key',
    title: 'A citation key contains a space',
    means: 'BibTeX does not accept spaces in keys.',
    fix: 'Remove the space in the entry and in \\cite.',
    example: {
      source: article('\\cite{ann smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      files: { 'refs.bib': '@book{annsmith, author={Ann Smith}, title={Tides}, publisher={P}, year=2020}\n' },
      says: 'White space in argument',
      fixed: article('\\cite{annsmith}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
    },
  },
  {
    code: 'undefined-crossref',
    title: 'The entry named by crossref does not exist',
    means: 'The field crossref names another entry, whose fields replace missing ones. No entry has this key.',
    fix: 'Add the entry, or check its key.',
    example: {
      source: article('\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      files: {
        'refs.bib':
          '@inproceedings{smith, author={Ann Smith}, title={Tides}, booktitle={Proceedings}, year=2020, crossref={sea}}\n',
      },
      says: 'A bad cross reference---entry "smith" refers to entry "sea", which doesn\'t exist',
      fixed: article('\\cite{smith}\n\\bibliographystyle{plain}\n\\bibliography{refs}'),
      fixedFiles: {
        'refs.bib': '@inproceedings{smith, author={Ann Smith}, title={Tides}, booktitle={Proceedings}, year=2020}\n',
      },
    },
  },
]
