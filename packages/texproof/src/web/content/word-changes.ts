/**
 * Which words of a changed line are new and which are gone: in prose a line is a paragraph, and a diff of lines says no
 * more than that something in it is different.
 */
import { diffWordsWithSpace } from 'diff'

import type { PatchLine } from './parse-patch.ts'

/** A stretch of a line that is the same on both sides, or not. */
export interface WordChange {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer lines are data: comparing them costs and tells nothing. */
const MAX_LINE_LENGTH = 4_000
/** Less than this in common: the line was written anew, and marks would only flicker. */
const MIN_COMMON = 0.3

/**
 * The words of removed and added lines that stand against each other, by the line itself; lines without a partner, or
 * with too little in common with it, are not in it. Pairs are made in order: the first removed with the first added.
 */
export function findWordChanges(lines: readonly PatchLine[]): ReadonlyMap<PatchLine, readonly WordChange[]> {
  const changes = new Map<PatchLine, readonly WordChange[]>()
  for (const { removed, added } of groupChanges(lines)) {
    // Where their numbers differ, nobody can say which line became which.
    if (removed.length !== added.length) continue
    for (const [index, old] of removed.entries()) {
      const young = added[index]
      const pair = young === undefined ? null : compareLines(old.text, young.text)
      if (young === undefined || pair === null) continue
      changes.set(old, pair.old)
      changes.set(young, pair.young)
    }
  }
  return changes
}

interface Group {
  readonly removed: PatchLine[]
  readonly added: PatchLine[]
}

function groupChanges(lines: readonly PatchLine[]): readonly Group[] {
  const groups: Group[] = []
  let group: Group | null = null
  for (const line of lines) {
    if (line.kind === 'kept' || (line.kind === 'removed' && group !== null && group.added.length > 0)) group = null
    if (line.kind === 'kept') continue
    if (group === null) {
      group = { removed: [], added: [] }
      groups.push(group)
    }
    group[line.kind].push(line)
  }
  return groups
}

function compareLines(
  old: string,
  young: string,
): { readonly old: readonly WordChange[]; readonly young: readonly WordChange[] } | null {
  if (Math.max(old.length, young.length) > MAX_LINE_LENGTH) return null
  const parts = diffWordsWithSpace(old, young)
  const common = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.length), 0)
  if (common < MIN_COMMON * Math.max(old.length, young.length)) return null
  const side = (other: 'added' | 'removed', own: 'added' | 'removed'): readonly WordChange[] =>
    parts.filter((part) => !part[other]).map((part) => ({ text: part.value, isChanged: part[own] === true }))
  return { old: side('added', 'removed'), young: side('removed', 'added') }
}
