/** Refs of a push that are reported together. */
import type { Build } from '../../domain/build.ts'
import type { QueuedPush } from '../types.ts'

/** Refs with the same files, at least one. All have the same documents. */
export type RefGroup = readonly [QueuedPush, ...QueuedPush[]]

/** Groups refs with the same files, in order; the default branch is the first of its group. */
export function groupPushes(pushes: readonly QueuedPush[]): readonly RefGroup[] {
  return group(
    pushes,
    ({ found, builds, isOverLimit }) => builds[0]?.treeId ?? JSON.stringify([found, isOverLimit]),
  ).map(([first, ...rest]) => {
    const isDefault = ({ branch: { ref, repository } }: QueuedPush): boolean =>
      ref === `refs/heads/${repository.defaultBranch}`
    const usual = rest.find(isDefault)
    return usual === undefined ? [first, ...rest] : [usual, first, ...rest.filter((push) => push !== usual)]
  })
}

/** A build and what its refs say of it. */
export interface BuildOutcome {
  readonly build: Build
  /** Whether an older PDF is shown while this build has none. */
  readonly hasOlderPdf: boolean
}

/** Groups builds of one document that ended alike: usually all, as their files are the same. */
export function groupOutcomes(
  outcomes: readonly BuildOutcome[],
): readonly (readonly [BuildOutcome, ...BuildOutcome[]])[] {
  return group(outcomes, ({ build: { state, pdfId, pageCount, errorCount, warningCount }, hasOlderPdf }) =>
    JSON.stringify([state, pdfId === null, pageCount, errorCount, warningCount, hasOlderPdf]),
  )
}

function group<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [item])
    else known.push(item)
  }
  return [...groups.values()]
}
