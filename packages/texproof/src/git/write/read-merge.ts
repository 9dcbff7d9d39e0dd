import type { MergeOutput } from './merge-texts.ts'
import { splitPlace, type MergedPart } from './split-place.ts'

/** Maximum number of conflicts: with more, the user chooses one version of the whole text. */
const maxPlaces = 200

/** git's output for two versions, and the versions. */
export interface MergeSource extends MergeOutput {
  readonly mine: string
  readonly theirs: string
}

/** Parses a merged text into its parts. Runs in a worker thread. */
export function readMerge({ bytes, marks, mine, theirs }: MergeSource): readonly MergedPart[] {
  const parts = readParts(Buffer.from(bytes).toString(), marks)
  const placeCount = parts.filter(({ kind }) => kind === 'place').length
  return placeCount > maxPlaces ? [{ kind: 'place', mine, theirs }] : parts
}

function readParts(output: string, marks: MergeOutput['marks']): readonly MergedPart[] {
  const [begin, between, close] = [
    `${'<'.repeat(marks.size)} ${marks.label}`,
    '='.repeat(marks.size),
    '>'.repeat(marks.size),
  ]
  const parts: MergedPart[] = []
  let settled: string[] = []
  let mine: string[] | null = null
  let theirs: string[] | null = null
  const settle = (): void => {
    if (settled.length > 0) parts.push({ kind: 'settled', text: settled.join('') })
    settled = []
  }
  for (const line of output.match(/[^\n]*\n/g) ?? []) {
    const bare = line.slice(0, -1)
    if (mine === null && bare === begin) {
      settle()
      mine = []
    } else if (mine !== null && theirs === null && bare === between) theirs = []
    else if (mine !== null && theirs !== null && bare === `${close} ${marks.label}`) {
      parts.push(...splitPlace({ mine: mine.join(''), theirs: theirs.join('') }))
      mine = theirs = null
    } else (theirs ?? mine ?? settled).push(line)
  }
  settle()
  return parts
}
