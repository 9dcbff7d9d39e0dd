/**
 * Marks the new and removed words of a changed line: in prose a line is a paragraph, and a line diff only says that
 * something in it differs.
 */
import { diffWordsWithSpace } from 'diff'

import type { PatchLine } from './parse-patch.ts'

/** A part of a line that is the same on both sides, or not. */
export interface WordChange {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer lines are data: comparing them is slow and useless. */
const MAX_LINE_LENGTH = 4_000
/** Minimum common share of two lines. Below it, the line was rewritten and marks would only distract. */
const MIN_COMMON = 0.3
/** Maximum number of words in which two lines may differ: more marks do not help. */
const MAX_EDITS = 250
/** The cost of a comparison grows with the square of the words that differ; this bounds the sum in one change. */
const MAX_COST = 4_000_000

/** Finds the changed words of consecutive hunks, until the cost limit is reached. */
export type WordComparison = (lines: readonly PatchLine[]) => ReadonlyMap<PatchLine, readonly WordChange[]>

/**
 * Compares removed lines with the added lines that replace them, in order. The result is keyed by line; lines without a
 * partner, or with too little in common with it, are not in it.
 */
export function createWordComparison(): WordComparison {
  let left = MAX_COST
  const compare = (old: string, young: string): ComparedLines | null => {
    const maxEdits = Math.min(MAX_EDITS, Math.floor(Math.sqrt(left)))
    const { lines, edits } = compareLines(old, young, maxEdits)
    left -= edits * edits
    return lines
  }
  return (lines) => {
    const changes = new Map<PatchLine, readonly WordChange[]>()
    for (const { removed, added } of groupChanges(lines)) {
      // With different numbers of lines, the pairs are ambiguous.
      if (removed.length !== added.length) continue
      for (const [index, old] of removed.entries()) {
        const young = added[index]
        const pair = young === undefined ? null : compare(old.text, young.text)
        if (young === undefined || pair === null) continue
        changes.set(old, pair.old)
        changes.set(young, pair.young)
      }
    }
    return changes
  }
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

interface ComparedLines {
  readonly old: readonly WordChange[]
  readonly young: readonly WordChange[]
}

/** `edits` = the number of words removed and added, at most `maxEdits`. */
function compareLines(
  old: string,
  young: string,
  maxEdits: number,
): { readonly lines: ComparedLines | null; readonly edits: number } {
  if (Math.max(old.length, young.length) > MAX_LINE_LENGTH) return { lines: null, edits: 0 }
  const parts = diffWordsWithSpace(old, young, { maxEditLength: maxEdits })
  if (parts === undefined) return { lines: null, edits: maxEdits }
  const edits = parts.reduce((sum, { added, removed, count }) => sum + (added || removed ? (count ?? 1) : 0), 0)
  const common = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.length), 0)
  if (common < MIN_COMMON * Math.max(old.length, young.length)) return { lines: null, edits }
  const side = (other: 'added' | 'removed', own: 'added' | 'removed'): readonly WordChange[] =>
    parts.filter((part) => !part[other]).map((part) => ({ text: part.value, isChanged: part[own] === true }))
  return { lines: { old: side('added', 'removed'), young: side('removed', 'added') }, edits }
}
