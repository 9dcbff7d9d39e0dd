/** Floats, fonts, bibliographies, and the limits of a compile. */
import { closest } from '../closest.ts'
import { biblatexStyles, bibliographyStyles } from '../known-commands.ts'
import { explainOwnStyle } from '../own-packages.ts'
import { explainSubmodule } from '../submodules.ts'
import { suggestFile } from '../suggest-file.ts'
import type { Explanation, Finding, Rule } from '../types.ts'

export const TOOL_RULES: readonly Rule[] = [
  [
    'bibliography-syntax',
    /^BibTeX: string name "(.+?)" is undefined|^biber: .*undefined macro "(.+?)"/,
    ({ match }) => ({
      summary: `"${match[1] ?? match[2] ?? ''}" is neither in braces nor an abbreviation, so it is missing from the bibliography.`,
      remedy: 'Put text in braces: {…}. Months are abbreviations without braces: jan, feb, mar.',
    }),
  ],
  [
    'bibliography-syntax',
    /^BibTeX: entry type for "(.+?)" isn't style-file defined|^Package biblatex Warning: No driver for '(.+?)'/,
    ({ match }) => ({
      summary:
        match[1] === undefined
          ? `The bibliography style does not support the type of entry "${match[2] ?? ''}".`
          : `The bibliography style does not support the type of the entry "${match[1]}".`,
      remedy: 'Check the word after "@": @article, @book, @inproceedings, @misc. Other types require biblatex.',
    }),
  ],
  [
    'float-in-box',
    /Not in outer par mode/,
    () => ({ summary: 'A figure or table is inside another box.', remedy: 'Move it between two paragraphs.' }),
  ],
  [
    'caption-outside-float',
    /\\caption outside float/,
    () => ({
      summary: '\\caption works only in a figure or table.',
      remedy: 'Put it in one, or load the package caption and use \\captionof.',
    }),
  ],
  [
    'too-many-floats',
    /Too many unprocessed floats|^Output loop---/,
    () => ({
      summary: 'Too many figures and tables are waiting for a page.',
      remedy: 'Add \\clearpage, or allow more positions with [htbp].',
    }),
  ],
  [
    'shell-escape',
    /gnuplot-result file '(.+?)' could not be found/i,
    ({ match }) => ({
      summary: `The points of this plot are missing: running gnuplot is disabled, and ${match[1] ?? ''} does not exist.`,
      remedy:
        'Compile on your computer with -shell-escape and add that file to the project, or plot without gnuplot: \\addplot {…}.',
    }),
  ],
  [
    'shell-escape',
    /^Package auto-pst-pdf Error: "shell escape"/,
    () => ({
      summary: 'auto-pst-pdf runs LaTeX once more for the drawings, which is disabled.',
      remedy:
        'Use XeLaTeX, which draws pstricks itself: in a project, write % !TEX program = xelatex as the first line.',
    }),
  ],
  [
    'shell-escape',
    /^Package minted Error: Missing (?:style definition|Pygments output)/,
    () => ({
      summary:
        'The option frozencache of minted uses listings that are stored in a folder, which does not contain this one.',
      remedy:
        'Compile on your computer with -shell-escape and without frozencache, and add the folder _minted-… to the project again. If it has another name, write it: \\usepackage[frozencache,cachedir=…]{minted}.',
    }),
  ],
  [
    'shell-escape',
    /^Package (?:luabridge|markdown) Error: Shell escape/,
    () => ({
      summary: 'This engine converts Markdown by an external program, which is disabled.',
      remedy: 'Compile with LuaLaTeX, which converts it itself: % !TEX program = lualatex.',
    }),
  ],
  [
    'shell-escape',
    /(?:invoke|run) (?:La)?TeX with the -shell-escape|requires? (?:the )?-?-?shell-escape|shell escape .*disabled|shell-escape mode may not be activated/i,
    ({ message }) => ({
      summary: 'This package runs external programs, which is disabled.',
      remedy: message.startsWith('Package minted ')
        ? 'Use listings instead of minted. Or compile on your computer with -shell-escape, add the folder _minted-… to the project, and load \\usepackage[frozencache,cachedir=_minted-…]{minted}.'
        : 'Compile on your computer with -shell-escape, and add the files that it makes to the project.',
    }),
  ],
  [
    'missing-font',
    /The font "(.+?)" cannot be found|^Font \S+?="?(.+?)"? (?:at \S+ |scaled \d+ )?not loadable/,
    ({ match }) => ({
      summary: `The font "${fontName(match[1] ?? match[2] ?? '')}" is not installed.`,
      remedy: 'Add its file to the project, or choose another font.',
    }),
  ],
  [
    'biblatex-mismatch',
    /Found biblatex control file version (\S+), expected version (\S+)/,
    () => ({
      summary: 'The installed versions of biber and biblatex do not match. The document is not the cause.',
      remedy: 'Install biber and biblatex from the same TeX release.',
    }),
  ],
  [
    'bibliography-syntax',
    /I was expecting a|You're missing (?:a|an) |Illegal end of database file|I'm skipping whatever remains of this entry|^Unbalanced braces|BibTeX subsystem: .*(?:syntax error|unbalanced braces)/,
    () => ({
      summary: 'This bibliography entry has a syntax error.',
      remedy:
        'Look at this line and the one before: every field ends with a comma, and every brace and quote must be closed.',
    }),
  ],
  [
    'repeated-entry',
    /^Repeated entry|^biber: Duplicate entry key/,
    () => ({
      summary: 'Two bibliography entries have the same key.',
      remedy: 'Remove one of them, or change its key.',
    }),
  ],
  [
    'capacity-exceeded',
    /TeX capacity exceeded/,
    ({ message }) =>
      message.includes('text input levels')
        ? {
            summary: 'A file includes itself, directly or through other files.',
            remedy: 'Remove the \\input or \\include that causes the loop.',
          }
        : {
            summary: 'TeX ran out of memory, usually because of an endless loop.',
            remedy: 'Look for a definition that uses itself, directly or through another command.',
          },
  ],
  [
    'capacity-exceeded',
    /^Unable to read an entire line---bufsize=(\d+)/,
    ({ match }) => ({
      summary: `A line has more than ${match[1] ?? ''} bytes, which is longer than TeX can read.`,
      remedy: 'Break it into several lines.',
    }),
  ],
  ['missing-bibliography', /I couldn't open database file (\S+)|^Cannot find '(.+?)'!/, missingDatabase],
  [
    'missing-bibliography-style',
    /I couldn't open style file (\S+)|Package biblatex Error: Style '(.+?)' not found|I found no \\bibstyle command/,
    ({ match, knowledge }) => {
      const name = match[1] ?? match[2]
      const isBiblatex = match[2] !== undefined
      const own = isBiblatex || name === undefined ? null : explainOwnStyle(name, knowledge.files)
      if (own !== null) return own
      const meant = closest(name?.replace(/\.bst$/, '') ?? '', isBiblatex ? biblatexStyles : bibliographyStyles)
      const otherwise = isBiblatex
        ? 'Check its name. The styles of biblatex are numeric, alphabetic, authoryear, authortitle and verbose.'
        : 'Check its name, or add the file to the project.'
      return name === undefined
        ? { summary: 'The document does not set a bibliography style.', remedy: 'Add \\bibliographystyle{plain}.' }
        : {
            summary: `The bibliography style ${name} was not found.`,
            remedy: meant === null ? otherwise : `Did you mean ${meant}?`,
          }
    },
  ],
  [
    'time-limit',
    /Compilation timed out after (\d+) ms \(pass (\d+), (\S+)\)/,
    ({ match }) => ({
      summary: `Stopped at the time limit of ${describeTime(Number(match[1]))}, in pass ${match[2] ?? ''} (${match[3] ?? ''}).`,
      remedy:
        match[3] === 'biber'
          ? 'Remove entries that the document does not cite from its .bib files, or raise the time limit: biber reads every entry.'
          : Number(match[2]) > 1
            ? 'Earlier passes ended, so an endless loop is unlikely. Raise the time limit, or include large drawings as PDFs.'
            : 'Look for an endless loop, or include a large drawing as a PDF.',
    }),
  ],
  [
    'resource-limit',
    /Compilation was stopped: (.+?) \(pass/,
    ({ match }) => ({
      summary: `Stopped: ${match[1] ?? ''}.`,
      remedy: 'The usual cause is an endless loop.',
    }),
  ],
  [
    'no-pages',
    /^No pages of output/,
    () => ({
      summary: 'The document has no pages.',
      remedy: 'Add text between \\begin{document} and \\end{document}.',
    }),
  ],
]

/**
 * Font name without the brackets of a file name and the features that fontspec adds:
 * `[lmroman10.otf]:mode=node;+tlig;`.
 */
function fontName(request: string): string {
  return request.replace(/^\[/, '').replace(/(?:\]|:|\/(?:OT|GR|AAT|ICU|[BIS])).*$/, '')
}

/** A limit in milliseconds, as users set it. */
function describeTime(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toFixed(1))} s`
}

function missingDatabase({ match, knowledge }: Finding): Explanation {
  const name = match[1] ?? match[2] ?? ''
  return (
    explainSubmodule(name, knowledge.submodules) ?? {
      summary: `The bibliography ${name} was not found.`,
      remedy:
        suggestWithoutSpaces(name, knowledge.files) ??
        suggestFile(name, knowledge.files) ??
        'Add it to the project, or check the name in \\bibliography or \\addbibresource.',
    }
  )
}

/** LaTeX removes the spaces in the argument of `\bibliography`. */
function suggestWithoutSpaces(name: string, files: ReadonlySet<string>): string | null {
  const spaced = [...files].find((path) => path.includes(' ') && path.replaceAll(' ', '') === name)
  return spaced === undefined ? null : `Rename ${spaced}: \\bibliography does not accept spaces in names.`
}
