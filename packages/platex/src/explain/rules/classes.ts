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
      summary: 'The class finds no name to print.',
      remedy: 'Write \\name{First}{Last} before \\begin{document}.',
    }),
  ],
  [
    'undefined-command',
    /^Undefined control sequence: (\\(?:question|titledquestion|subpart|subsubpart|choice|CorrectChoice))$/,
    ({ match }) => ({
      summary: `${match[1] ?? ''} works only inside its environment of the class exam.`,
      remedy: `Put it between \\begin{${EXAM_ENVIRONMENTS[match[1] ?? ''] ?? 'questions'}} and its \\end.`,
    }),
  ],
]

const EXAM_ENVIRONMENTS: Readonly<Record<string, string>> = {
  '\\subpart': 'subparts',
  '\\subsubpart': 'subsubparts',
  '\\choice': 'choices',
  '\\CorrectChoice': 'choices',
}
