import type { LatexWarning } from '../../base/types.ts'
import type { SourceTexts } from '../source-texts.ts'
import { warning } from './warning.ts'

/** Lines that git writes around and between the two versions of a conflict. Authors write such lines only as verbatim text. */
const MARKERS = [/^<{7} \S/, /^={7}\r?$/, /^>{7} \S/] as const

/** The first unresolved merge conflict of each file. TeX prints its markers as text, with both versions. */
export function findConflicts(sources: SourceTexts): readonly LatexWarning[] {
  return sources.files.flatMap((file) => {
    const found = findMarkers(sources.code(file))
    return found === null
      ? []
      : [warning(file, found.first, `Unresolved merge conflict in lines ${found.first} to ${found.last}.`)]
  })
}

function findMarkers(code: readonly string[]): { readonly first: number; readonly last: number } | null {
  let first = 0
  let next = 0
  for (const [index, line] of code.entries()) {
    // A second beginning before the end replaces the first.
    if (MARKERS[0].test(line)) {
      first = index + 1
      next = 1
    } else if (next > 0 && MARKERS[next]?.test(line) === true) {
      if (next === 2) return { first, last: index + 1 }
      next += 1
    }
  }
  return null
}
