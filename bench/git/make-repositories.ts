import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { runGit } from './run-git.ts'

/** The size of one repository of the comparison. */
export interface Contents {
  readonly commits: number
  /** Size of the file that each commit changes. It is incompressible. */
  readonly fileBytes: number
  readonly branches: number
}

/** Fills a bare repository and packs it like a server after a push. */
export async function fillRepository(gitDir: string, contents: Contents): Promise<void> {
  const importing = spawn('git', ['--git-dir', gitDir, 'fast-import', '--quiet', '--force'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(importing, 'close')
  await pipeline(Readable.from(importLines(contents)), importing.stdin)
  if ((await ended)[0] !== 0) throw new Error('git fast-import failed')
  await runGit(['--git-dir', gitDir, 'gc', '--quiet'])
  await addBranches(gitDir, contents.branches)
  await runGit(['--git-dir', gitDir, 'commit-graph', 'write', '--reachable', '--no-progress'])
}

function* importLines({ commits, fileBytes }: Contents): Generator<Buffer | string> {
  for (let number = 1; number <= commits; number += 1) {
    const message = `Change section ${number}\n`
    yield `commit refs/heads/main\nmark :${number}\ncommitter Alice <alice@example.org> ${1_700_000_000 + number} +0000\n`
    yield `data ${message.length}\n${message}M 100644 inline section-${number % 20}.txt\ndata ${fileBytes}\n`
    yield noise(number, fileBytes)
    yield '\n'
  }
}

/** Writes branches in the format of `git pack-refs`; git itself takes minutes for so many refs. */
async function addBranches(gitDir: string, branches: number): Promise<void> {
  const commitIds = (await runGit(['--git-dir', gitDir, 'rev-list', 'main'])).split('\n')
  const names = Array.from({ length: branches - 1 }, (_, index) => `refs/heads/topic/${index}`).sort()
  const lines = [`${commitIds[0]} refs/heads/main\n`]
  for (const [index, name] of names.entries()) lines.push(`${commitIds[index % commitIds.length]} ${name}\n`)
  await writeFile(join(gitDir, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`)
}

/** Deterministic bytes. */
function noise(seed: number, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(String(seed)).digest()
}
