/** Measures `git push` of an edit to a real host, until the PDF of that commit is served. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { RunningHost } from '../../packages/texproof/test/support/hosts/start-host.ts'

const run = promisify(execFile)
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
const POLL_MS = 5
const PATIENCE_MS = 120_000

export interface PushedDocument {
  readonly host: RunningHost
  readonly token: string
  readonly name: string
  /** Working tree with a remote `origin`. */
  readonly folder: string
}

/** Creates the repository and connects the folder to it; nothing is pushed yet. */
export async function connectFolder({ host, token, name, folder }: PushedDocument): Promise<void> {
  const answer = await fetch(`${host.url}/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (answer.status !== 201) throw new Error(`create ${name}: ${answer.status}`)
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  await git(folder, 'remote', 'add', 'origin', `http://git:${token}@127.0.0.1:${host.port}/alice/${name}.git`)
}

/** Commits the folder and measures from the start of `git push` to the last byte of the PDF, in milliseconds. */
export async function timePush({ host, token, name, folder }: PushedDocument): Promise<number> {
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--message', 'Edit')
  const head = (await git(folder, 'rev-parse', 'HEAD')).trim()
  const url = `http://127.0.0.1:${host.port}/alice/${name}/pdf/main.pdf`
  const startedAt = performance.now()
  const pushed = git(folder, 'push', '--quiet', 'origin', 'main')
  const headers = { authorization: `Bearer ${token}` }
  while (performance.now() - startedAt < PATIENCE_MS) {
    // Only the headers: reading every answer would take a part of the processors from the compile.
    const { status, headers: found } = await fetch(url, { method: 'HEAD', headers })
    if (status === 200 && found.get('x-texproof-commit') === head) {
      const { byteLength } = await (await fetch(url, { headers })).arrayBuffer()
      const durationMs = performance.now() - startedAt
      if (byteLength === 0) throw new Error(`the PDF of ${name} is empty`)
      await pushed
      return durationMs
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`no PDF of ${name}`)
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org']
  return (await run('git', [...identity, ...args], { cwd, env })).stdout
}
