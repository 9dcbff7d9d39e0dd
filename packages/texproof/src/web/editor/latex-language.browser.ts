/** LaTeX for the editor: tokens and their colors. CodeMirror's own mode, with verbatim text left uncolored. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import type { StreamParser, StringStream } from '@codemirror/language'
import { stex } from '@codemirror/legacy-modes/mode/stex'
import type { Extension } from '@codemirror/state'
import { tags } from '@lezer/highlight'

import { bibtex } from './bibtex-language.browser.ts'

/** Environments whose content is not LaTeX. */
const VERBATIM = /^\\begin\s*\{((?:verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?)\}/

interface LatexState {
  /** The open verbatim environment; '' outside. */
  verbatim: string
  inner: unknown
}

const inner = stex as StreamParser<unknown>

const latexParser: StreamParser<LatexState> = {
  name: 'latex',
  startState: (indentUnit) => ({ verbatim: '', inner: inner.startState?.(indentUnit) }),
  copyState: (state) => ({ verbatim: state.verbatim, inner: inner.copyState?.(state.inner) }),
  blankLine: (state, indentUnit) => inner.blankLine?.(state.inner, indentUnit),
  token(stream, state) {
    if (state.verbatim !== '') return readVerbatim(stream, state)
    if (stream.match(/^\\(?:verb|lstinline)\*?(?![a-zA-Z{[])(.)/, false)) {
      stream.match(/^\\(?:verb|lstinline)\*?(.).*?(?:\1|$)/)
      return 'string'
    }
    const opened = stream.match(VERBATIM, false) as RegExpMatchArray | null
    if (opened !== null) {
      stream.match(VERBATIM)
      state.verbatim = opened[1] ?? ''
      return 'tag'
    }
    return inner.token(stream, state.inner)
  },
  languageData: {
    commentTokens: { line: '%' },
    closeBrackets: { brackets: ['(', '[', '{', '$'] },
    wordChars: '@',
  },
}

function readVerbatim(stream: StringStream, state: LatexState): string {
  const end = `\\end{${state.verbatim}}`
  if (stream.match(end)) {
    state.verbatim = ''
    return 'tag'
  }
  while (!stream.eol() && !stream.match(end, false)) stream.next()
  return 'string'
}

/** Colors of LaTeX, the same as in highlighted sources elsewhere. */
const highlighting = HighlightStyle.define([
  { tag: tags.tagName, color: 'var(--syntax-word)' },
  { tag: [tags.atom, tags.number], color: 'var(--syntax-name)' },
  { tag: [tags.keyword, tags.special(tags.variableName)], color: 'var(--syntax-value)' },
  { tag: tags.string, color: 'var(--syntax-text)' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
])

/** The language of a file by its path; none for other formats. */
export function languageOf(path: string): Extension {
  if (/\.bib$/i.test(path)) return [bibtex, syntaxHighlighting(highlighting)]
  const isLatex = /\.(?:tex|ltx|sty|cls|def|bbx|cbx|tikz|dtx)$/i.test(path)
  return isLatex ? [StreamLanguage.define(latexParser), syntaxHighlighting(highlighting)] : []
}
