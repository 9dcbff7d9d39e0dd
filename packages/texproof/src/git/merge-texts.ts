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

import type { MergedPart } from './merged-part.ts'
import { runGit } from './run-git.ts'
import { splitPlace } from './split-place.ts'

/** A text and two ways it was changed; lines end in a newline. */
export interface TextVersions {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/**
 * Merges two texts that began as the same one; without a place in the answer nobody needs to be asked.
 *
 * @throws Error when git fails or takes too long.
 */
export async function mergeTexts(
  versions: TextVersions,
  { makingDir, searchPath }: { readonly makingDir: string; readonly searchPath: string },
): Promise<readonly MergedPart[]> {
  const folder = await mkdtemp(path.join(makingDir, 'merge-'))
  const label = randomBytes(16).toString('hex')
  try {
    const names = ['mine', 'base', 'theirs'] as const
    await Promise.all(names.map((name) => writeFile(path.join(folder, name), endLine(versions[name]))))
    const labels = names.flatMap(() => ['-L', label])
    const files = names.map((name) => path.join(folder, name))
    const size = Math.max(7, 1 + longestRule(versions))
    const run = await runGit(['merge-file', '-p', `--marker-size=${size}`, ...labels, '--', ...files], {
      gitDir: null,
      searchPath,
      timeoutMs: 10_000,
      maxOutputBytes: 16 * 1024 * 1024,
    })
    // The exit code counts the places, up to 127; what is above is a failure.
    if (run.kind !== 'exited' || run.exitCode > 127) throw new Error('merge texts', { cause: run })
    return readParts(run.stdout.toString(), { label, size })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** What stands between the two sides is a line of nothing but `=`, as under a heading of plain text. */
function longestRule({ base, mine, theirs }: TextVersions): number {
  const rules = [base, mine, theirs].flatMap((text) => text.match(/^=+$/gm) ?? [])
  return rules.reduce((longest, { length }) => Math.max(longest, length), 0)
}

function readParts(output: string, marks: { readonly label: string; readonly size: number }): readonly MergedPart[] {
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
