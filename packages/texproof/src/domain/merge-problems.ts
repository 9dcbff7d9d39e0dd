import type { BuildProblem, BuildRecord, CommitProblem } from './build.ts'

/** One build and its problems. */
export interface BuildReport {
  readonly build: BuildRecord
  readonly problems: readonly BuildProblem[]
}

/**
 * Merges the problems of several documents: documents that share a file report the same problems. A problem that one
 * document reports twice stays twice.
 */
export function mergeProblems(reports: readonly BuildReport[]): readonly CommitProblem[] {
  const merged = new Map<string, BuildProblem & { readonly builds: BuildRecord[] }>()
  for (const { build, problems } of reports) {
    const counts = new Map<string, number>()
    for (const problem of problems) {
      const key = problemKey(problem)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      const known = merged.get(`${key} ${count}`)
      if (known === undefined) merged.set(`${key} ${count}`, { ...problem, builds: [build] })
      else known.builds.push(build)
    }
  }
  return [...merged.values()]
}

/** The key of a problem, equal for all documents that report it at the same place. */
export function problemKey({ type, code, file, line, message }: BuildProblem): string {
  return JSON.stringify([type, code, file, line, message])
}
