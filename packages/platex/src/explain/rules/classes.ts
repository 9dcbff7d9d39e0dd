/** Classes of journals, curricula vitae and exams. */
import type { Rule } from '../types.ts'

export const CLASS_RULES: readonly Rule[] = [
  [
    'wrong-mode',
    /^Class acmart Error: Abstract must be defined before maketitle/,
    () => ({
      summary: 'In acmart, the abstract must be before \\maketitle.',
      remedy: 'Move \\begin{abstract}…\\end{abstract} above \\maketitle.',
    }),
  ],
  [
    'missing-title',
    /^Class acmart (?:Error|Warning): No (\w+) present for an affiliation/,
    ({ match }) => ({
      summary: `An affiliation has no \\${match[1] ?? ''}.`,
      remedy: `Add it: \\affiliation{\\institution{…}\\city{…}\\country{…}}.`,
    }),
    ({ type }) => type === 'error',
  ],
  [
    'missing-title',
    /^Undefined control sequence: \\@(?:firstname|lastname|familyname|givenname)$/,
    () => ({
      summary: 'No name is set.',
      remedy: 'Add \\name{First}{Last} before \\begin{document}.',
    }),
  ],
  [
    'undefined-command',
    /^Undefined control sequence: (\\(?:question|titledquestion|subpart|subsubpart|choice|CorrectChoice))$/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} works only inside its environment in the exam class.`,
      remedy: `Put it between \\begin{${EXAM_ENVIRONMENTS[match[1] ?? ''] ?? 'questions'}} and its \\end.`,
    }),
  ],
  [
    'wrong-mode',
    /^Class exam Error: I found an? (\w+) where I expected to find an? (\w+)/,
    ({ match: [, found = '', expected = ''] }) => ({
      summary: `\\${found} is in the ${expected}s environment of the exam class, which allows only \\${expected}.`,
      remedy:
        found.length < expected.length || found === 'question'
          ? `Add \\end{${expected}s} before it.`
          : `Put it between \\begin{${found}s} and \\end{${found}s}.`,
    }),
  ],
  [
    'wrong-mode',
    /^A \\part of a question is outside of the environment parts/,
    () => ({
      summary: 'This \\part is a heading, because it is outside the parts environment of the exam class.',
      remedy: 'Put the parts of a question between \\begin{parts} and \\end{parts}.',
    }),
  ],
]

const EXAM_ENVIRONMENTS: Readonly<Record<string, string>> = {
  '\\subpart': 'subparts',
  '\\subsubpart': 'subsubparts',
  '\\choice': 'choices',
  '\\CorrectChoice': 'choices',
}
