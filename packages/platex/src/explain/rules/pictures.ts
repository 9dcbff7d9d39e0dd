/** Pictures of TikZ and plots of pgfplots. */
import { OPEN_IN_PICTURE_NOTE, UNENDED_IN_PICTURE_NOTE } from '../mistake-notes.ts'
import type { Rule } from '../types.ts'
import { hasNote } from './shared.ts'

export const PICTURE_RULES: readonly Rule[] = [
  [
    'tikz-syntax',
    /^/,
    ({ message, context }) => {
      const bracket = /^[^\n]*"(.)"/.exec(context)?.[1] ?? ''
      if (message.includes('\\bracket@'))
        return { summary: 'A "[" in this tree is not closed.', remedy: 'Add the "]" where its branch ends.' }
      const noun = { '{': 'text', '(': 'coordinate', '[': 'list of options' }[bracket] ?? 'group'
      const end = { '{': '}', '(': ')', '[': ']' }[bracket] ?? ''
      return {
        summary: `A "${bracket}" in this picture is not closed.`,
        remedy: `Add the "${end}" where the ${noun} ends.`,
      }
    },
    (diagnostic) => hasNote(diagnostic, OPEN_IN_PICTURE_NOTE),
  ],
  [
    'unmatched-environment',
    /^/,
    ({ context }) => {
      const name = /"(.+?)"/.exec(context)?.[1] ?? ''
      return {
        summary: `\\begin{${name}} has no \\end{${name}}.`,
        remedy: `Add \\end{${name}} before \\end{tikzpicture}.`,
      }
    },
    (diagnostic) => hasNote(diagnostic, UNENDED_IN_PICTURE_NOTE),
  ],
  [
    'tikz-syntax',
    /\\(?:language|system|user)@active@arg(.)/,
    ({ match }) => ({
      summary: `babel makes ${match[1] ?? ''} a shorthand in this language, which does not work here.`,
      remedy: `For pictures of TikZ, load \\usetikzlibrary{babel}. Elsewhere, write \\shorthandoff{${match[1] ?? ''}} before it.`,
    }),
  ],
  [
    'tikz-syntax',
    /^Missing character: There is no ([[\]]?)\S* in font nullfont!$/u,
    ({ match: [, bracket = ''] }) =>
      bracket === ''
        ? {
            summary: 'Text in this picture is not part of a node, so it is missing from the PDF.',
            remedy: 'Put it into a node, \\node at (0,0) {…};, or remove it.',
          }
        : {
            summary: 'The tree ends here, and the rest of it is missing from the PDF.',
            remedy: 'Remove the extra "]", or add the missing "[".',
          },
    // Without its place, the text may come from a package.
    ({ type, line }) => type === 'warning' && line !== null,
  ],
  [
    'tikz-syntax',
    /\\pgffor@@vars@end doesn't match|Paragraph ended before \\pgffor@@vars/,
    () => ({
      summary: '\\foreach has no "in" before its list.',
      remedy: 'Write \\foreach \\x in {1,2,3} {…}.',
    }),
  ],
  [
    'tikz-syntax',
    /^Package pgf Error: Single ampersand used with wrong catcode/,
    () => ({
      summary: 'The "&" of a matrix does not work in a frame of beamer, or in the argument of a command.',
      remedy:
        'In a frame, write \\begin{frame}[fragile]. Elsewhere, add the option ampersand replacement=\\& to the matrix, and write \\& between its cells.',
    }),
  ],
  [
    'package-warning',
    /^Package pgfplots Warning: running in backwards compatibility mode/,
    ({ message }) => ({
      summary: 'No pgfplots compatibility version is set, so plots are drawn as in its oldest version.',
      remedy: `Write \\pgfplotsset{compat=${/compat=([\d.]{1,9}\d)/.exec(message)?.[1] ?? 'newest'}} below this line.`,
    }),
  ],
  [
    'invalid-number',
    /Could not parse input '(.*?)' as a floating point number/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a number.`,
      remedy: 'Fix or remove the row. Select columns with x=… and y=…, and the separator with col sep=….',
    }),
  ],
  [
    'unknown-option',
    /Package pgfplots Error: Sorry, '(compat=\S+)' is unknown .*at most '(compat=\S+?)'/,
    ({ match }) => ({
      summary: `The installed version of pgfplots does not support ${match[1] ?? ''}.`,
      remedy: `Write ${match[2] ?? ''}.`,
    }),
  ],
]
