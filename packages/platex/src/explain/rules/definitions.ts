/** Parameters of definitions, modes, nesting and numbers. */
import { readUpperLine } from '../read-upper-line.ts'
import type { Explanation, Finding, Rule } from '../types.ts'
import { isInternal } from './shared.ts'

export const DEFINITION_RULES: readonly Rule[] = [
  [
    'parameter-number',
    /Illegal parameter number in definition of (\\\S+?)(?: code)?\.?$|You already have nine parameters|Parameters must be numbered consecutively/,
    parameterNumber,
  ],
  [
    'missing-opening-brace',
    /Missing \{ inserted/,
    () => ({ summary: 'An argument in braces is missing before this position.', remedy: 'Write it as {…}.' }),
  ],
  [
    'wrong-mode',
    /^Please use \\mathaccent for accents in math mode/,
    () => ({
      summary: 'A text accent is used in a formula.',
      remedy:
        'Put words into \\text{…}, with amsmath. Accents of formulas are \\hat, \\check, \\tilde, \\acute, \\dot, \\ddot, \\bar and \\vec.',
    }),
  ],
  [
    'wrong-mode',
    /You can't use [`'](\\\S+?)' (?:in|here)|(\\begin\{\S+?\}) allowed only in paragraph mode/,
    ({ match }) => ({
      summary: `${match[1] ?? match[2] ?? ''} does not work at this position.`,
      remedy: 'Move it between two paragraphs, or out of the formula, table or box that contains it.',
    }),
    ({ message }) => !message.includes("`\\end'"),
  ],
  [
    'unmatched-environment',
    /^(?:Extra|Missing) \\endgroup/,
    ({ match }) => ({
      summary: match[0].startsWith('Extra')
        ? 'This \\end{…} has no matching \\begin{…}.'
        : 'An environment is still open where a "}" closes the text around it.',
      remedy: 'Write every \\begin{…} and its \\end{…} between the same braces.',
    }),
  ],
  [
    'misplaced-class',
    /\\usepackage before \\documentclass|Two \\documentclass/,
    ({ match }) => ({
      summary: match[0].startsWith('Two')
        ? 'The document has two \\documentclass commands.'
        : 'A package is loaded before \\documentclass.',
      remedy: match[0].startsWith('Two')
        ? 'Remove one of them. For a chapter that is also a document, use the package subfiles or standalone.'
        : 'Move \\usepackage below \\documentclass.',
    }),
  ],
  [
    'nested-include',
    /\\include cannot be nested/,
    () => ({ summary: 'A file that is included with \\include contains \\include.', remedy: 'Use \\input there.' }),
  ],
  [
    'nesting-too-deep',
    /Too deeply nested/,
    () => ({
      summary: 'Lists are nested too deeply: LaTeX allows four levels of each kind.',
      remedy: 'Check that every list before this line has its \\end, or use fewer levels.',
    }),
  ],
  [
    'counter-too-large',
    /Counter too large/,
    () => ({
      summary: 'A counter is larger than its style allows: letters end at 26, symbols at 9.',
      remedy: 'Use numbers: \\arabic{…}, or label=\\arabic* with the package enumitem.',
    }),
  ],
  [
    'undefined-tab-stop',
    /Undefined tab position/,
    () => ({ summary: 'This \\> has no tab stop.', remedy: 'Set a tab stop with \\= in a line before it.' }),
  ],
  [
    'missing-title',
    /No \\title given/,
    () => ({ summary: 'No title is set for \\maketitle.', remedy: 'Add \\title{…} before it.' }),
  ],
  [
    'unknown-float-position',
    /Unknown float option [`'](.+?)'/,
    ({ match }) => ({
      summary: `"${match[1] ?? ''}" is not a position of a figure or table.`,
      remedy:
        match[1] === 'H'
          ? 'Load the package that defines it: \\usepackage{float}.'
          : 'Use h, t, b or p, such as [htbp].',
    }),
  ],
  [
    'undefined-command',
    /Use of \\\?\?\? doesn't match its definition/,
    ({ context }) => {
      const name = /variable (\\\S+) used/.exec(context.replaceAll(/\s+/g, ' '))?.[1]
      return {
        summary: name === undefined ? 'A variable of expl3 is used in a wrong way.' : `${name} is not defined.`,
        remedy: 'Define it with \\tl_new:N or \\int_new:N, or check its name.',
      }
    },
  ],
  [
    'definition-mismatch',
    /Use of (\\\S+) doesn't match its definition/,
    ({ match }) => ({
      summary: isInternal(match[1])
        ? 'The argument of a command does not have the form that it requires.'
        : `The argument of ${match[1] ?? 'a command'} does not have the form that it requires.`,
      remedy: 'Check the brackets and separators of the command in its documentation.',
    }),
  ],
  [
    'missing-command-name',
    /Missing control sequence inserted/,
    () => ({
      summary: 'The name of a command is missing.',
      remedy: 'Write it with its backslash: \\newcommand{\\name}{…}.',
    }),
  ],
  [
    'command-in-name',
    /Missing \\endcsname inserted/,
    () => ({
      summary: 'A name contains a command.',
      remedy: 'Use letters, digits and punctuation in names of labels, environments, counters and files.',
    }),
  ],
  [
    'ambiguous-fraction',
    /Ambiguous; you need another \{ and \}/,
    () => ({ summary: 'A formula has two \\over.', remedy: 'Write \\frac{…}{…}.' }),
  ],
  [
    'misplaced-limits',
    /Limit controls must follow a math operator/,
    () => ({
      summary: '\\limits follows something that is not an operator.',
      remedy: 'Put it after \\sum, \\int or \\operatorname*{…}.',
    }),
  ],
  [
    'number-too-large',
    /^(?:Number too big|Arithmetic overflow)|Package graphics Error: Division by 0/,
    ({ message }) =>
      message.includes('graphics')
        ? {
            summary: 'An image or box without width or height cannot be scaled.',
            remedy: 'Put something into the box, or remove \\resizebox.',
          }
        : {
            summary: 'A number is too large for TeX, or is divided by zero.',
            remedy: 'Check the numbers in the calculation on this line.',
          },
  ],
]

/** TeX shows the digit that it did not expect at the end of the line above it. */
function parameterNumber({ match, message, context }: Finding): Explanation {
  const command = match[1]
  if (command === undefined)
    return {
      summary: 'The arguments of a definition are not numbered correctly.',
      remedy: 'Number them from #1 to #9. For more, use keys, for example with the package pgfkeys.',
    }
  const environment = /^\\end(.+)/.exec(command)?.[1]
  if (environment !== undefined)
    return {
      summary: `The end of the environment "${environment}" uses an argument.`,
      remedy: 'Arguments are available only at its beginning: save them there with \\def or \\newcommand.',
    }
  if (/\{HTML\}\{#/.test(readUpperLine(context) ?? ''))
    return {
      summary: 'The number of a color begins with "#".',
      remedy: 'Write its six digits alone: \\definecolor{name}{HTML}{FF0000}.',
    }
  if (isInternal(command) || /^\\(?:GetTitleString|NewValue)/.test(command))
    return {
      summary: 'The argument of a command contains "#".',
      remedy: 'Write \\# for the character itself, also in addresses in headings and footnotes.',
    }
  const digit = /#(\d)\}?\s*$/.exec(readUpperLine(context) ?? '')?.[1]
  const setNumber = / code\.?$/.test(message)
    ? `Describe each argument: \\NewDocumentCommand{${command}}{${Array.from({ length: Number(digit ?? 1) }, () => 'm').join(' ')}}{…}.`
    : `Set the number of arguments: \\newcommand{${command}}[${digit ?? 1}]{…}.`
  return {
    summary: `The definition of ${command} uses ${digit === undefined ? 'an argument' : `#${digit}, an argument`} that it does not have.`,
    remedy: `${setNumber} In a definition inside a definition, write ##1.`,
  }
}
