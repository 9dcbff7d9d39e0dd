/**
 * Formulas to MathML, which browsers show without a script. The library is loaded on first use. Its output is sanitized
 * like everything else, and its inline styles, which pages do not permit, become classes (ADR 31).
 */
import { createRequire } from 'node:module'

import sanitizeHtml from 'sanitize-html'
import type { Options } from 'temml'

import { escapeHtml } from '../escape-html.ts'
import type { Formula } from './math-syntax.ts'

interface MathLibrary {
  renderToString(source: string, options: Options): string
}

const require = createRequire(import.meta.url)

const OPTIONS: Options = {
  throwOnError: true,
  // No links, images or attributes from the author.
  trust: false,
  maxExpand: 500,
  // Upper bounds in em and in points, so that a formula does not cover the page.
  maxSize: [20, 300],
}

/** Maximum length of MathML: macros can make a short formula very long. */
const MAX_FORMULA_LENGTH = 200_000

const TAGS =
  'math mrow mi mn mo ms mspace mtext msup msub msubsup munder mover munderover mmultiscripts mprescripts mfrac msqrt ' +
  'mroot mtable mtr mtd mstyle mpadded mphantom menclose merror'
const ATTRIBUTES =
  'class display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize stretchy fence form separator ' +
  'lspace rspace voffset width height depth minsize maxsize largeop movablelimits accent accentunder symmetric ' +
  'linethickness columnspan rowspan notation'

/** Classes of the style sheet. */
const CLASSES =
  /^(?:upstrike|downstrike|sout|tml-(?:cancel|xcancel|overline|underline|fbox|left|right|jot|small|(?:sml|med|lrg)-pad))$/

/** Inline styles of the library with their classes. */
const STYLE_CLASSES: Readonly<Record<string, string>> = {
  'math-depth:0': 'tml-depth-0',
  'padding:0': 'tml-no-padding',
  'width:50%': 'tml-half',
  'width:100%': 'tml-whole',
  'text-align:left': 'tml-left',
  'font-weight:bold': 'tml-bold',
  'border:1px solid': 'tml-fbox',
  'border-top:0.06em solid': 'tml-line-top',
  'border-bottom:0.06em solid': 'tml-line-bottom',
  'border-left:0.06em solid': 'tml-line-left',
  'border-right:0.06em solid': 'tml-line-right',
}

/** Result of a conversion: safe HTML, or why there is none. */
export type FormulaOutcome =
  | { readonly kind: 'math'; readonly html: string }
  | { readonly kind: 'invalid'; readonly reason: string }

/** A formula as MathML; if it is invalid or too large, its source with the reason. Always safe HTML. */
export function renderFormula(formula: Formula): string {
  const outcome = convertFormula(formula)
  return outcome.kind === 'math' ? outcome.html : formulaSource(formula, outcome.reason)
}

/** Converts a formula to MathML. */
export function convertFormula({ source, isDisplay }: Formula): FormulaOutcome {
  const { renderToString } = require('temml') as MathLibrary
  try {
    const math = renderToString(source, { ...OPTIONS, displayMode: isDisplay, wrap: isDisplay ? 'none' : 'tex' })
    // A reference links to another formula; the library numbers those with a script.
    if (!math.startsWith('<math')) return { kind: 'invalid', reason: 'References are not supported.' }
    if (math.length > MAX_FORMULA_LENGTH) return { kind: 'invalid', reason: 'The formula is too long.' }
    const safe = sanitizeHtml(math, {
      allowedTags: TAGS.split(' '),
      allowedAttributes: { '*': ATTRIBUTES.split(' ') },
      transformTags: { '*': (tagName, attributes) => ({ tagName, attribs: withoutStyle(attributes) }) },
    })
    return { kind: 'math', html: isDisplay ? `<span class="formula" tabindex="0">${safe}</span>` : safe }
  } catch (error) {
    // An unknown command, endless macros or unclosed braces: the page shows the source and the reason.
    const message = error instanceof Error && error.name !== 'RangeError' ? error.message : ''
    const [reason = ''] = message.replace(/^ParseError:/, '').split(' at position')
    return { kind: 'invalid', reason: reason.trim().slice(0, 200) }
  }
}

/** A formula that is not rendered: its source and the reason. */
export function formulaSource({ source, isDisplay }: Formula, reason: string): string {
  const mark = isDisplay ? '$$' : '$'
  return `<code class="formula-source" title="${escapeHtml(reason)}">${escapeHtml(mark + source + mark)}</code>`
}

function withoutStyle({
  style = '',
  class: given = '',
  ...attributes
}: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const declarations = style.split(';').map((declaration) => declaration.trim())
  const classes = [...given.split(' ').filter((name) => CLASSES.test(name)), ...declarations.flatMap(styleClass)]
  const [, color] =
    declarations.map((declaration) => /^color:(#?(?!undefined)\w+)$/.exec(declaration)).find(Boolean) ?? []
  return {
    ...attributes,
    ...(classes.length === 0 ? {} : { class: classes.join(' ') }),
    ...(color === undefined ? {} : { mathcolor: color }),
  }
}

function styleClass(declaration: string): readonly string[] {
  const known = STYLE_CLASSES[declaration]
  if (known !== undefined) return [known]
  // Columns of matrices and cases, 0, 0.6 or 1 em apart.
  const [, side, width, unit] = /^padding-(left|right):([\d.]+)(em|pt)$/.exec(declaration) ?? []
  if (side === undefined) return []
  const halves = Math.round((Number(width) / (unit === 'pt' ? 10 : 1)) * 2)
  return [`tml-pad-${side}-${Math.min(2, halves)}`]
}
