import type { FileChange, TreeItem } from '../../git/types.ts'

/** A path and what it is to have; null = nothing. */
export interface WantedItem {
  readonly path: string
  readonly item: TreeItem | null
}

/** The changes of a commit after which every path has what it is to have. */
export function toFileChanges(wanted: readonly WantedItem[]): readonly FileChange[] {
  return wanted.map(({ path, item }) => (item === null ? { kind: 'remove', path } : { kind: 'place', path, item }))
}
