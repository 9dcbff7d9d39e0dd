import { runGit, type QueryOptions } from '../process/run-git.ts'

/** A line that holds the text that was looked for. */
export interface FoundLine {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** What a search found; `isWhole` is false when it was cut off by time or by size. */
export interface FoundText {
  readonly lines: readonly FoundLine[]
  readonly isWhole: boolean
}

/** What to look for, and how long. */
export interface TextQuery {
  readonly commitId: string
  /** Looked for as it stands, never as a pattern. */
  readonly text: string
  readonly isCaseSensitive: boolean
  readonly timeoutMs: number
}

const maxFoundBytes = 512 * 1024

/** Looks for a text in every file of a commit that is text itself, in the order of paths. */
export async function searchText(gitDir: string, options: TextQuery & QueryOptions): Promise<FoundText> {
  const { commitId, text, isCaseSensitive, timeoutMs, searchPath, signal } = options
  const letters = isCaseSensitive ? [] : ['-i']
  const run = await runGit(['grep', '-I', '-n', '-z', '-F', '--no-color', ...letters, '-e', text, commitId, '--'], {
    gitDir,
    searchPath,
    signal,
    settings: [
      ['grep.threads', '1'],
      ['grep.fullName', 'true'],
    ],
    timeoutMs,
    maxOutputBytes: maxFoundBytes,
  })
  if (run.kind === 'aborted') return { lines: [], isWhole: false }
  return { lines: parseFoundLines(run.stdout.toString('utf8')), isWhole: run.kind === 'exited' }
}

/** Parses `commit:path NUL line NUL text` lines, a path as it is, even over lines; a last one that was cut off is left out. */
export function parseFoundLines(output: string): readonly FoundLine[] {
  return [...output.matchAll(/[0-9a-f]+:([^\0]*)\0(\d+)\0([^\n]*)\n/gy)].map(([, path = '', line = '', text = '']) => ({
    path,
    line: Number(line),
    text,
  }))
}
