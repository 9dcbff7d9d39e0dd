/** The order of branches and tags on pages. The API sorts by bytes. */
import { sortByVersionDescending } from '../../../domain/git/version-order.ts'
import { sortNaturally } from '../../../domain/text/natural-order.ts'
import type { Ref } from '../../../git/types.ts'

/** Longer lists stay in their order: sorting them would delay every page. */
export const maxOrderedRefs = 5_000

/** Branches by name, `branch-2` before `branch-10`. */
export const orderBranches = keepOrder(sortNaturally)

/** Tags, the newest version first, as on the page of the tags. */
export const orderTags = keepOrder(sortByVersionDescending)

/** Sorts a list once: the refs of a repository are the same array until one moves. */
function keepOrder(sort: (refs: readonly Ref[]) => readonly Ref[]): (refs: readonly Ref[]) => readonly Ref[] {
  const ordered = new WeakMap<readonly Ref[], readonly Ref[]>()
  return (refs) => {
    if (refs.length > maxOrderedRefs) return refs
    const known = ordered.get(refs) ?? sort(refs)
    ordered.set(refs, known)
    return known
  }
}
