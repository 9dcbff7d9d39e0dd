/**
 * Merges two versions of a text. Changes that only one version has are applied; places that both have changed are
 * separate conflicts, so that a page can show each of them.
 *
 * `git merge-file` works on files in a temporary folder. Its markers are longer than any similar line of the texts, and
 * have a label that no text can contain.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { runGit } from '../process/run-git.ts'

/** A text and two changed versions of it; lines end with a newline. */
export interface TextVersions {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** git's output for two versions, for `readMerge`. */
export interface MergeOutput {
  readonly bytes: Uint8Array
  /** How conflicts are marked in the output. */
  readonly marks: { readonly label: string; readonly size: number }
}

/** Merges two versions of a text; null if git fails or times out, or the result is too long. */
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
    // Markers of that length around thousands of conflicts would make a very long text.
    if (size > maxMarkLength) return null
    const run = await runGit(['merge-file', '-p', `--marker-size=${size}`, ...labels, '--', ...files], {
      gitDir: null,
      searchPath,
      timeoutMs: 10_000,
      maxOutputBytes: 16 * 1024 * 1024,
    })
    // The exit code is the number of conflicts, up to 127; higher codes are failures.
    return run.kind !== 'exited' || run.exitCode > 127 ? null : { bytes: run.stdout, marks: { label, size } }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** Headings of plain text are underlined with fewer characters. */
const maxMarkLength = 500

/** The separator of the two sides is a line of `=`, like the underline of a heading in plain text. */
function longestRule({ base, mine, theirs }: TextVersions): number {
  return Math.max(...[base, mine, theirs].map(longestRun))
}

/** The longest run of `=`, found without creating a list of matches. */
function longestRun(text: string): number {
  let longest = 0
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at)) {
    const start = at
    while (text[at] === '=') at += 1
    longest = Math.max(longest, at - start)
  }
  return longest
}
