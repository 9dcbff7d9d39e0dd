import { runGit, type QueryOptions } from '../process/run-git.ts'
import { MAX_READING_BYTES } from '../process/spawn-git.ts'

/** A line that contains the text. */
export interface FoundLine {
  readonly path: string
  /** Line number, from 1. */
  readonly line: number
  readonly text: string
}

/** The results; `isWhole` is false if the search was stopped by a limit of time or size, or git failed. */
export interface FoundText {
  readonly lines: readonly FoundLine[]
  readonly isWhole: boolean
}

/** The text to search for, and the time limit. */
export interface TextQuery {
  readonly commitId: string
  /** Literal text, never a pattern. */
  readonly text: string
  readonly isCaseSensitive: boolean
  readonly timeoutMs: number
}

const maxFoundBytes = 512 * 1024

/** Searches every text file of a commit, in the order of paths. */
export async function searchText(gitDir: string, options: TextQuery & QueryOptions): Promise<FoundText> {
  const { commitId, text, isCaseSensitive, timeoutMs, searchPath, signal } = options
  const caseOption = isCaseSensitive ? [] : ['-i']
  const run = await runGit(['grep', '-I', '-n', '-z', '-F', '--no-color', ...caseOption, '-e', text, commitId, '--'], {
    gitDir,
    searchPath,
    signal,
    settings: [
      ['grep.threads', '1'],
      ['grep.fullName', 'true'],
    ],
    timeoutMs,
    maxMemoryBytes: MAX_READING_BYTES,
    maxOutputBytes: maxFoundBytes,
  })
  if (run.kind === 'aborted') return { lines: [], isWhole: false }
  // 1 = no line contains the text; a higher code = git cannot read the repository.
  const isWhole = run.kind === 'exited' && run.exitCode <= 1
  return { lines: parseFoundLines(run.stdout.toString('utf8')), isWhole }
}

/**
 * Parses `commit:path NUL line NUL text` lines. A path is unquoted and may contain newlines; a truncated last line is
 * omitted.
 */
export function parseFoundLines(output: string): readonly FoundLine[] {
  return [...output.matchAll(/[0-9a-f]+:([^\0]*)\0(\d+)\0([^\n]*)\n/gy)].map(([, path = '', line = '', text = '']) => ({
    path,
    line: Number(line),
    text,
  }))
}
