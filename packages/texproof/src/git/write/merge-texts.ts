/**
 * Two people have changed one text: what both left alone or only one changed is settled, and the places that both
 * changed are told apart, so that a page can ask about each of them in words.
 *
 * `git merge-file` does the work on files in a folder of their own; its marks are longer than any such line of the texts
 * and carry a label that no text can hold.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { runGit } from '../process/run-git.ts'

/** A text and two ways it was changed; lines end in a newline. */
export interface TextVersions {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** What git made of two versions, for `readMerge`. */
export interface MergeOutput {
  readonly bytes: Uint8Array
  /** How the places are marked that both have changed. */
  readonly marks: { readonly label: string; readonly size: number }
}

/** Merges two texts that began as the same one; null when git fails or takes too long, or it becomes too long. */
export async function mergeTexts(
  versions: TextVersions,
  { makingDir, searchPath }: { readonly makingDir: string; readonly searchPath: string },
): Promise<MergeOutput | null> {
  const folder = await mkdtemp(path.join(makingDir, 'merge-'))
  const label = randomBytes(16).toString('hex')
  try {
    const names = ['mine', 'base', 'theirs'] as const
    await Promise.all(names.map((name) => writeFile(path.join(folder, name), endLine(versions[name]))))
    const labels = names.flatMap(() => ['-L', label])
    const files = names.map((name) => path.join(folder, name))
    const size = Math.max(7, 1 + longestRule(versions))
    // Marks of that length around thousands of places would be a very long text.
    if (size > maxMarkLength) return null
    const run = await runGit(['merge-file', '-p', `--marker-size=${size}`, ...labels, '--', ...files], {
      gitDir: null,
      searchPath,
      timeoutMs: 10_000,
      maxOutputBytes: 16 * 1024 * 1024,
    })
    // The exit code counts the places, up to 127; what is above is a failure.
    return run.kind !== 'exited' || run.exitCode > 127 ? null : { bytes: run.stdout, marks: { label, size } }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** No heading of plain text is underlined by more. */
const maxMarkLength = 500

/** What stands between the two sides is a line of nothing but `=`, as under a heading of plain text. */
function longestRule({ base, mine, theirs }: TextVersions): number {
  return Math.max(...[base, mine, theirs].map(longestRun))
}

/** The longest run of `=`: a look at each character, and no list of them. */
function longestRun(text: string): number {
  let longest = 0
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at)) {
    const start = at
    while (text[at] === '=') at += 1
    longest = Math.max(longest, at - start)
  }
  return longest
}
