import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runProgram, runTestGit } from '../programs/run-program.ts'

/** Commits that a client has pushed to a branch of its own. */
export interface PushedBranch {
  readonly branch: string
  /** Commits whose push git reported as done, oldest first. */
  readonly acknowledged: readonly string[]
  readonly failures: readonly string[]
}

/** A client that pushes one commit after the other, even while its server is killed. */
export interface PushingClient extends PushedBranch {
  /** @param to another address of the repository */
  push(to?: string): Promise<boolean>
  /** The newest commit, pushed or not; null before the first. */
  head(): string | null
  close(): void
}

const ENV = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Alice',
  GIT_AUTHOR_EMAIL: 'alice@example.org',
  GIT_COMMITTER_NAME: 'Alice',
  GIT_COMMITTER_EMAIL: 'alice@example.org',
}

/** Creates the client; `files` are the files of its first commit. */
export async function openPushingClient(
  remote: string,
  { branch, files }: { readonly branch: string; readonly files: Readonly<Record<string, string>> },
): Promise<PushingClient> {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-client-'))
  const acknowledged: string[] = []
  const failures: string[] = []
  await runTestGit(folder, ['init', '--quiet', '--initial-branch', branch])
  let tree = ''
  for (const [name, text] of Object.entries(files)) {
    const blob = await runTestGit(folder, ['hash-object', '-w', '--stdin'], text)
    tree += `100644 blob ${blob}\t${name}\n`
  }
  const treeId = await runTestGit(folder, ['mktree'], tree)
  let head: string | null = null
  return {
    branch,
    acknowledged,
    failures,
    async push(to = remote) {
      const parent: readonly string[] = head === null ? [] : ['-p', head]
      const args = ['commit-tree', treeId, ...parent, '-m', `Change ${acknowledged.length + failures.length}`]
      head = (await runProgram('git', args, { cwd: folder, env: ENV })).stdout.trim()
      const update = `${head}:refs/heads/${branch}`
      const pushed = await runProgram('git', ['push', '--quiet', to, update], { cwd: folder, env: ENV })
      if (pushed.exitCode === 0) acknowledged.push(head)
      else failures.push(pushed.stderr)
      return pushed.exitCode === 0
    },
    head: () => head,
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
