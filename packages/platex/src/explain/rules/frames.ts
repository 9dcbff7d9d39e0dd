/** Frames of beamer. */
import { FRAGILE_END_NOTE, FRAGILE_NOTE, OPEN_FRAME_NOTE } from '../mistake-notes.ts'
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
    'unmatched-environment',
    /^/,
    ({ context }) => ({
      summary: 'This frame has no \\end{frame} before the next frame begins.',
      remedy: `Add \\end{frame} before the \\begin{frame} of ${/line \d+/.exec(context)?.[0] ?? 'the next frame'}.`,
    }),
    (diagnostic) => hasNote(diagnostic, OPEN_FRAME_NOTE),
  ],
  [
    'unmatched-environment',
    /^Too many }'s|^Extra }, or forgotten \\endgroup/,
    () => ({ summary: 'This \\end{frame} has no \\begin{frame}.', remedy: 'Remove it, or add the \\begin{frame}.' }),
    // TeX shows where it stopped in this command.
    (diagnostic) => diagnostic.type === 'error' && /^\\endframe ->\\egroup/m.test(diagnostic.context ?? ''),
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
