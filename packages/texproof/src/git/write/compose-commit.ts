/**
 * A commit of the house's own making, as a pack that nothing has taken yet: one `git fast-import` writes it into a folder
 * of its own, which only reads from the repository. So what a person types in the browser can be handed to
 * `git receive-pack` like anybody's push, and enters by the same door or not at all.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'

import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { encodePerson } from './encode-person.ts'
import { quotePath } from './quote-path.ts'
import { collect, maxStderrBytes } from '../process/run-git.ts'
import { killGroup, spawnGit } from '../process/spawn-git.ts'
import type { ComposedCommit, FileChange } from '../types.ts'

const timeoutMs = 60_000

/**
 * Composes a commit and gives its id and its pack; the repository stays as it is.
 *
 * @throws Error when git cannot: its parent is not there, or a path is none.
 */
export async function composeCommit(
  gitDir: string,
  commit: ComposedCommit,
  { makingDir, searchPath }: { readonly makingDir: string; readonly searchPath: string },
): Promise<{ readonly commitId: string; readonly pack: Buffer }> {
  const folder = await mkdtemp(path.join(makingDir, 'commit-'))
  try {
    const commitId = await importCommit(gitDir, commit, { folder, searchPath })
    const packs = (await readdir(path.join(folder, 'pack'))).filter((name) => name.endsWith('.pack'))
    const [pack] = packs
    if (packs.length > 1) throw new Error(`compose commit: ${packs.length} packs`)
    return { commitId, pack: pack === undefined ? emptyPack : await readFile(path.join(folder, 'pack', pack)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function importCommit(
  gitDir: string,
  commit: ComposedCommit,
  { folder, searchPath }: { readonly folder: string; readonly searchPath: string },
): Promise<string> {
  const child = spawnGit([`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--done'], {
    gitDir,
    searchPath,
    newObjectsIn: folder,
    settings: [['fastimport.unpackLimit', '0']],
  })
  const stdout = collect(child.stdout, 256, () => {})
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  child.stdin.on('error', () => {}) // git may end before it has read all; its exit code tells
  child.stdin.end(encodeStream(commit))
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), timeoutMs)
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null]
    if (exitCode !== 0) throw new Error(`compose commit: ${stderr().toString()}`)
    return stdout().toString('latin1').trim()
  } finally {
    clearTimeout(timer)
  }
}

/** The ref is asked for its commit and let go again before the end, so none is ever written. */
function encodeStream({ parentId, changes, author, message }: ComposedCommit): Buffer {
  const person = encodePerson(author)
  const inOrder = changes.toSorted((left, right) => rank(left) - rank(right) || compareUtf8(left.path, right.path))
  return Buffer.concat(
    [
      `commit ${makingRef}\nmark :1\nauthor ${person}\ncommitter ${person}\n`,
      ...encodeData(Buffer.from(message.replaceAll('\0', ''))),
      parentId === null ? '' : `from ${parentId}\n`,
      ...inOrder.flatMap(encodeChange),
      `\nget-mark :1\nreset ${makingRef}\n\ndone\n`,
    ].map((part) => Buffer.from(part)),
  )
}

/** What goes makes room first: a file may take the place of a folder. */
function rank({ kind }: FileChange): number {
  return kind === 'remove' ? 0 : 1
}

function encodeChange(change: FileChange): readonly (string | Uint8Array)[] {
  if (change.kind === 'remove') return [`D ${quotePath(change.path)}\n`]
  const mode = change.isExecutable ? '100755' : '100644'
  return [`M ${mode} inline ${quotePath(change.path)}\n`, ...encodeData(change.bytes)]
}

function encodeData(bytes: Uint8Array): readonly (string | Uint8Array)[] {
  return [`data ${bytes.length}\n`, bytes, '\n']
}

/** For a commit that is there to the last byte: somebody has pressed a button twice within a second. */
const emptyPack = encodeEmptyPack()

const makingRef = 'refs/texproof/making'

function encodeEmptyPack(): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  return Buffer.concat([head, createHash('sha1').update(head).digest()])
}
