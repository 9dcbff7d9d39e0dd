/** Unresolved merge conflicts of git, which TeX reads as text. */
import type { LatexError, LatexWarning } from '../../base/types.ts'
import type { Explanation, Rule } from '../types.ts'

const REMEDY = 'Keep one of the two versions, and delete the lines with <<<<<<<, ======= and >>>>>>>.'

export const CONFLICT_RULES: readonly Rule[] = [
  [
    'merge-conflict',
    /^Unresolved merge conflict in lines (\d+) to (\d+)/,
    ({ match }): Explanation => ({
      summary: `Lines ${match[1] ?? ''} to ${match[2] ?? ''} contain both versions of an unresolved merge conflict.`,
      remedy: REMEDY,
    }),
  ],
  [
    'merge-conflict',
    /^/,
    (): Explanation => ({ summary: 'This line belongs to an unresolved merge conflict.', remedy: REMEDY }),
    isOnMarker,
  ],
]

/** Whether TeX stopped in a line that git writes around or between the two versions. */
function isOnMarker(diagnostic: LatexError | LatexWarning): boolean {
  if (diagnostic.type !== 'error') return false
  const [, upper = '', lower = ''] = /^l\.\d+ ([^\n]*)(?:\n[^\S\n]*([^\n]*))?/m.exec(diagnostic.context ?? '') ?? []
  return /^(?:<{7} |={7}$|>{7} )/.test(upper + lower)
}
