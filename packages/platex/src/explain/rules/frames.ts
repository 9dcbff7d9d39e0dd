/** Frames of beamer. */
import { FRAGILE_END_NOTE, FRAGILE_NOTE } from '../mistake-notes.ts'
import type { Rule } from '../types.ts'
import { hasNote } from './shared.ts'

export const FRAME_RULES: readonly Rule[] = [
  [
    'verb-in-argument',
    /^/,
    () => ({
      summary: 'Verbatim text works only in a frame with the option fragile.',
      remedy: 'Add the option: \\begin{frame}[fragile].',
    }),
    (diagnostic) => hasNote(diagnostic, FRAGILE_NOTE),
  ],
  [
    'unmatched-environment',
    /^/,
    () => ({
      summary: 'beamer does not find this \\end{frame}: in a fragile frame, it must be alone on its line.',
      remedy: 'Write \\end{frame} on a line of its own.',
    }),
    (diagnostic) => hasNote(diagnostic, FRAGILE_END_NOTE),
  ],
  [
    'runaway-argument',
    /(?:File ended while scanning use of|Paragraph ended before) \\beamer@(?:parseitem|masterdecode|doifnextitem)/,
    () => ({
      summary: 'The "<" of an overlay has no ">".',
      remedy: 'Close it: \\item<2->.',
    }),
  ],
]
