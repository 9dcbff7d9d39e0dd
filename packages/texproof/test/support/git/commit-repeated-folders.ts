import { git } from './git-repository.ts'

/**
 * Creates a commit with ten copies of a folder in each of nine levels: ten billion paths in eleven objects, for which git
 * needs gigabytes of memory. Returns its id.
 */
export function commitRepeatedFolders(gitDir: string): string {
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'x' })
  const tree = (line: (n: number) => string): string =>
    git(gitDir, ['mktree'], { input: Array.from({ length: 10 }, (_, n) => `${line(n)}\n`).join('') })
  let top = tree((n) => `100644 blob ${blob}\t${n}.tex`)
  for (let level = 0; level < 9; level += 1) {
    const below = top
    top = tree((n) => `040000 tree ${below}\td${n}`)
  }
  return git(gitDir, ['commit-tree', '-m', 'Bomb', top])
}
