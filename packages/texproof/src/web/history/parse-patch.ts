/** Parses git's unified diff into files, hunks and lines. Pure; unknown lines are skipped. */

export interface PatchLine {
  readonly kind: 'kept' | 'added' | 'removed'
  /** Number in the old file; null for an added line. */
  readonly oldLine: number | null
  /** Number in the new file; null for a removed line. */
  readonly newLine: number | null
  readonly text: string
}

export interface PatchHunk {
  /** `@@ -1,4 +1,5 @@ …` as printed by git. */
  readonly heading: string
  readonly lines: readonly PatchLine[]
}

export interface PatchedFile {
  /** Path as printed by git: quoted if the name contains control characters. */
  readonly oldPath: string | null
  readonly newPath: string | null
  readonly isBinary: boolean
  readonly hunks: readonly PatchHunk[]
}

/** Parses the output of `git diff-tree --patch`. */
export function parsePatch(text: string): readonly PatchedFile[] {
  const lines = text.split('\n')
  const files: PatchedFile[] = []
  let at = 0
  while (at < lines.length) {
    if (lines[at]?.startsWith('diff --git ') !== true) {
      at++
      continue
    }
    const head = readHead(lines, at)
    const { hunks, end } = readHunks(lines, head.end)
    files.push({ oldPath: head.oldPath, newPath: head.newPath, isBinary: head.isBinary, hunks })
    at = end
  }
  return files
}

function readHead(
  lines: readonly string[],
  start: number,
): { oldPath: string | null; newPath: string | null; isBinary: boolean; end: number } {
  let end = start + 1
  while (end < lines.length && !/^(?:@@ |diff --git )/.test(lines[end] ?? '')) end++
  const head = lines.slice(start + 1, end)
  const valueOf = (prefix: string): string | null =>
    head.find((line) => line.startsWith(prefix))?.slice(prefix.length) ?? null
  const both = pathOfBoth(lines[start] ?? '')
  const isNew = valueOf('new file mode ') !== null
  const isGone = valueOf('deleted file mode ') !== null
  return {
    oldPath: isNew ? null : (valueOf('rename from ') ?? valueOf('copy from ') ?? both),
    newPath: isGone ? null : (valueOf('rename to ') ?? valueOf('copy to ') ?? both),
    isBinary: head.some((line) => line.startsWith('Binary files ')),
    end,
  }
}

/** `diff --git a/X b/X` repeats the path unless the file was renamed, so half of it is the path. */
function pathOfBoth(line: string): string {
  const names = line.slice('diff --git '.length)
  const half = names.slice(0, (names.length - 1) / 2)
  return half.startsWith('"a/') ? `"${half.slice(3)}` : half.slice(2)
}

function readHunks(lines: readonly string[], start: number): { hunks: PatchHunk[]; end: number } {
  const hunks: PatchHunk[] = []
  let at = start
  for (;;) {
    const heading = lines[at] ?? ''
    const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(heading)
    if (numbers === null) return { hunks, end: at }
    const [, oldStart = '0', oldCount = '1', newStart = '0', newCount = '1'] = numbers
    const hunk = readLines(lines, at + 1, {
      oldLine: Number(oldStart),
      newLine: Number(newStart),
      oldLeft: Number(oldCount),
      newLeft: Number(newCount),
    })
    hunks.push({ heading, lines: hunk.lines })
    at = hunk.end
  }
}

/** The counts of the header determine the end of a hunk: a line of the file may look like a header. */
function readLines(
  lines: readonly string[],
  start: number,
  from: { oldLine: number; newLine: number; oldLeft: number; newLeft: number },
): { lines: PatchLine[]; end: number } {
  const read: PatchLine[] = []
  let { oldLine, newLine, oldLeft, newLeft } = from
  let at = start
  while (at < lines.length && (oldLeft > 0 || newLeft > 0 || lines[at]?.startsWith('\\') === true)) {
    const line = lines[at++] ?? ''
    const sign = line[0]
    if (sign === '\\') continue
    const kind = sign === '+' ? 'added' : sign === '-' ? 'removed' : 'kept'
    const isOld = kind !== 'added'
    const isNew = kind !== 'removed'
    read.push({ kind, oldLine: isOld ? oldLine : null, newLine: isNew ? newLine : null, text: line.slice(1) })
    oldLine += Number(isOld)
    newLine += Number(isNew)
    oldLeft -= Number(isOld)
    newLeft -= Number(isNew)
  }
  return { lines: read, end: at }
}
