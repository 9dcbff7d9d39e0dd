/** Options and values of packages and classes, and commands that a class replaces. */
import { endsUpperLine, isQuantity } from './shared.ts'
import type { Rule } from '../types.ts'

export const PACKAGE_OPTION_RULES: readonly Rule[] = [
  [
    'undefined-color',
    /Undefined color model [`'](.+?)'/,
    ({ match }) => ({
      summary: `xcolor has no color model "${match[1] ?? ''}".`,
      remedy: 'Use HTML, RGB, rgb, cmyk or gray: \\definecolor{name}{HTML}{FF0000}.',
    }),
  ],
  [
    'undefined-color',
    /Undefined color [`']#+([0-9A-Fa-f]{3,8})'/,
    ({ match }) => ({
      summary: 'A color starts with "#", as in HTML. LaTeX does not support this.',
      remedy: `Write [HTML]{${(match[1] ?? '').toUpperCase()}} instead of the braces, as in \\textcolor[HTML]{FF0000}{…}.`,
    }),
  ],
  [
    'parameter-number',
    /^Illegal parameter number in definition of \\XC@/,
    () => ({
      summary: 'A color starts with "#", as in HTML. LaTeX does not support this.',
      remedy: 'Write its six digits after [HTML]: \\textcolor[HTML]{FF0000}{…}.',
    }),
  ],
  [
    'invalid-number',
    /^Package x?color Error: Argument [`'](.+?)' not in range \[0,(\d+)\]/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a number from 0 to ${match[2] ?? ''}, the values of this color model.`,
      remedy:
        'Numbers from 0 to 255 belong to the model RGB, in capital letters; the model rgb takes numbers from 0 to 1.',
    }),
  ],
  [
    'missing-glossary-field',
    /^Package acro Error: You forgot to set the mandatory property [`'](.+?)' for acronym [`'](.+?)'/,
    ({ match }) => ({
      summary: `The acronym "${match[2] ?? ''}" has no ${match[1] ?? ''}.`,
      remedy: `Add it: ${match[1] ?? ''} = ….`,
    }),
  ],
  [
    'unknown-option',
    /^Package acro Error: You tried to set the property [`'](.+?)' on line \d+\. This property does not exist/,
    ({ match }) => ({
      summary: `acro has no property "${match[1] ?? ''}".`,
      remedy: 'Check its name: short, long, short-plural, long-plural, alt, extra, foreign, tag.',
    }),
  ],
  [
    'unknown-option',
    /^Package scrbase Error: unknown (?:option|value) [`']([^'=]+)(?:=[^']*)?'/,
    ({ match }) => ({
      summary: `KOMA-Script has no option "${match[1] ?? ''}".`,
      remedy: 'Check its name and value in the documentation of KOMA-Script.',
    }),
  ],
  [
    'unknown-option',
    /^Package scrkbase Error: font of element [`'](.+?)' can't be set/,
    ({ match }) => ({
      summary: `KOMA-Script has no element "${match[1] ?? ''}" whose font can be set.`,
      remedy: 'Check its name: disposition, title, chapter, section, subsection, caption, captionlabel, pagehead.',
    }),
  ],
  [
    'undefined-command',
    /^Class (\S+) Error: (?:undefined old font command [`'](\\\w+)'|Font command (\\\w+) is not supported)/,
    ({ match }) => {
      const name = match[2] ?? match[3] ?? ''
      const written = OLD_FONTS.get(name)
      return {
        summary: `${match[1] ?? 'This class'} no longer supports the old command ${name}.`,
        remedy: written === undefined ? 'Write \\textbf{…}, \\textit{…} or \\emph{…}.' : `Write ${written}.`,
      }
    },
  ],
  [
    'undefined-command',
    /^Class (tufte-\S+) Error: (\\\w+?)(?: ?is| is) undefined by this class/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} does not have ${match[2] ?? ''}.`,
      remedy: 'Use \\section, \\subsection or \\paragraph.',
    }),
  ],
  [
    'incompatible-packages',
    /^Package natbib Error: Bibliography not compatible with author-year citations/,
    () => ({
      summary: 'natbib uses author-year citations, but this bibliography does not provide authors and years.',
      remedy:
        'Use numeric citations, \\usepackage[numbers]{natbib}, or a style with years: \\bibliographystyle{plainnat}. An entry of thebibliography needs \\bibitem[Smith(2020)]{key}.',
    }),
  ],
  [
    'outside-math',
    /^Package amsmath Error: \\begin\{(split|aligned|gathered|alignedat|cases)\} won't work here/,
    ({ match }) => ({
      summary: `The environment "${match[1] ?? ''}" works only inside a formula.`,
      remedy: `Put it into one: \\begin{equation} \\begin{${match[1] ?? ''}} … \\end{${match[1] ?? ''}} \\end{equation}.`,
    }),
  ],
  [
    'verb-in-argument',
    /^Package Listings Error: lstinline ended by EOL/,
    () => ({
      summary: '\\lstinline is not closed on its line.',
      remedy: 'End it with the character that follows \\lstinline, on the same line.',
    }),
  ],
  [
    'unknown-column-type',
    /^Package tabularray Error: Unknown column type (.+?)!/,
    ({ match }) => ({
      summary: `tabularray has no column type "${match[1] ?? ''}".`,
      remedy:
        'Check the columns after \\begin{tblr}: l, c, r, X or Q[…]. If they are options, check their names: colspec={lll}.',
    }),
  ],
  [
    'definition-mismatch',
    /^File ended while scanning use of \\@@@cmidrule/,
    () => ({
      summary: '\\cmidrule has no range of columns.',
      remedy: 'Write \\cmidrule{1-1} for one column, \\cmidrule(lr){2-3} for two.',
    }),
  ],
  [
    'unmatched-environment',
    /^Missing number, treated as zero/,
    ({ context }) => {
      const end = /\\ALG@b@\S*?@(End\w+)@/.exec(context)?.[1] ?? 'End…'
      return {
        summary: `\\${end} does not end the block that is open here.`,
        remedy: 'Write the end of the innermost block: \\EndIf, \\EndFor, \\EndWhile or \\EndFunction.',
      }
    },
    (diagnostic) => diagnostic.type === 'error' && /\\ALG@b@\S*?@End/.test(diagnostic.context ?? ''),
  ],
  [
    'unknown-option',
    /^Package pgfplots Error: Sorry, the input coordinate [`'](.+?)' has not been defined with '(symbolic \w coords)=/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not one of the ${match[2] ?? 'symbolic coords'} of this axis.`,
      remedy: `Add it to ${match[2] ?? ''}={…}, or check its spelling.`,
    }),
  ],
  [
    'invalid-number',
    /^Package PGF Math Error: Could not parse input '' as a floating point number.* \(in '(.+?)'\)/,
    ({ match }) => ({
      summary: `The expression "${match[1] ?? ''}" is not complete.`,
      remedy: 'Complete it after its last operator, or remove the operator.',
    }),
  ],
  [
    'unicode-character',
    /^Argument of \\UTFviii@\S* has an extra \}/,
    () => ({
      summary: 'A command of soul splits its text into bytes, so it cannot contain this character.',
      remedy: 'Load soulutf8 instead of soul, or put the character into \\mbox{…}.',
    }),
    (diagnostic) => endsUpperLine(diagnostic, /\\(?:hl|ul|st|so|caps)\{.{0,500}$/),
  ],
  [
    'wrong-mode',
    /^Undefined control sequence: \\LT@save@row$/,
    () => ({
      summary: '\\endhead, \\endfirsthead, \\endfoot and \\endlastfoot work only in longtable.',
      remedy: 'Write \\begin{longtable} instead of tabular, or remove the command.',
    }),
  ],
  [
    'wrong-mode',
    /^Undefined control sequence: \\ERROR$/,
    ({ context, knowledge }) => {
      const unit = /^(\\[A-Za-z]+) ->\\ERROR/m.exec(context)?.[1] ?? '\\metre'
      return isQuantity(context) && knowledge.packages.has('physics')
        ? {
            summary: 'The package physics redefines \\qty for brackets, so it does not accept units.',
            remedy: `Write \\SI{…}{${unit}}, or remove the package physics.`,
          }
        : {
            summary: `${unit} works only in a unit.`,
            remedy: `Write \\unit{${unit}}, or \\qty{…}{${unit}} with a number.`,
          }
    },
  ],
  [
    'incompatible-packages',
    /^Package siunitx Warning: Detected the "physics" package/,
    () => ({
      summary: 'physics and siunitx both define \\qty: here it is the command of physics, for brackets.',
      remedy: 'Write quantities as \\SI{…}{…}, or remove the package physics.',
    }),
  ],
  [
    'package-warning',
    /^Package fancyhdr Warning: \\headheight is too small \((\S+?)\): Make it at least (\S+?),/,
    ({ match }) => ({
      summary: `The header is ${match[2] ?? ''} high, but only ${match[1] ?? ''} are reserved for it.`,
      remedy: `Write \\setlength{\\headheight}{${match[2] ?? ''}} below this line.`,
    }),
  ],
  [
    'package-warning',
    /^Package glossaries Warning: No \\printglossary/,
    () => ({
      summary: 'The document prints no glossary.',
      remedy: 'Write \\printglossaries where it should be, or remove \\makeglossaries.',
    }),
  ],
  [
    'unmatched-environment',
    /\\begin\{frame\} on input line \d+ ended by \\end\{beamer@/,
    () => ({
      summary: 'A frame contains another frame, or has no \\end{frame} before the next one.',
      remedy: 'Write \\end{frame} before each \\begin{frame}.',
    }),
  ],
]

/** Old commands of fonts and what replaces them. */
const OLD_FONTS: ReadonlyMap<string, string> = new Map([
  ['\\bf', '\\textbf{…} or \\bfseries'],
  ['\\it', '\\textit{…} or \\itshape'],
  ['\\rm', '\\textrm{…} or \\rmfamily, in a formula \\mathrm{…}'],
  ['\\sf', '\\textsf{…} or \\sffamily'],
  ['\\tt', '\\texttt{…} or \\ttfamily'],
  ['\\sc', '\\textsc{…} or \\scshape'],
  ['\\sl', '\\textsl{…} or \\slshape'],
])
