import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'

import { openGitStore } from '../../../src/git/open-git-store.ts'
import type { GitStore, InitialCommit } from '../../../src/git/types.ts'

/** A first commit by alice with these files. */
export function initialCommit(files: Readonly<Record<string, string>>): InitialCommit {
  return {
    files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    author: { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 },
    message: 'Initial commit',
  }
}

/** A store in a temporary folder, closed and removed when the test ends. */
export async function openTestStore(
  t: TestContext,
  options: { readonly onStep?: (step: string) => void } = {},
): Promise<{ readonly store: GitStore; readonly root: string }> {
  const root = makeTestFolder(t)
  const store = await openGitStore({ root, ...options })
  t.after(() => store.close())
  return { store, root }
}

/** A folder that is removed when the test ends. */
export function makeTestFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'texproof-git-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Runs git without the user's configuration; returns its output without the last newline. */
export function git(
  folder: string,
  args: readonly string[],
  options: { readonly input?: string | Buffer } = {},
): string {
  const output = execFileSync('git', ['-C', folder, ...args], {
    env: { ...personalEnvironment, PATH: process.env['PATH'] },
    input: options.input ?? '',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 256 * 1024 * 1024,
  })
  return output.toString().replace(/\n$/, '')
}

const personalEnvironment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Alice',
  GIT_AUTHOR_EMAIL: 'alice@example.org',
  GIT_AUTHOR_DATE: '1700000000 +0100',
  GIT_COMMITTER_NAME: 'Bob',
  GIT_COMMITTER_EMAIL: 'bob@example.org',
  GIT_COMMITTER_DATE: '1700000060 -0500',
}
