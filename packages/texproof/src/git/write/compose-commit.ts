/**
 * Composes a commit as a pack that is in no repository yet: `git fast-import` writes it into its own folder and only
 * reads from the repository. An edit in the browser is therefore passed to `git receive-pack` like any push, with the
 * same checks.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'

import type { ComposedCommit } from '../types.ts'
import { encodeCommit, fastImport } from './fast-import.ts'

const scratchRef = 'refs/texproof/making'

/**
 * Composes a commit and returns its id and its pack. The repository does not change.
 *
 * @throws Error when git fails: its parent is missing, or a path is invalid.
 */
export async function composeCommit(
  gitDir: string,
  { parentId, ...commit }: ComposedCommit,
  { makingDir, searchPath }: { readonly makingDir: string; readonly searchPath: string },
): Promise<{ readonly commitId: string; readonly pack: Buffer }> {
  const folder = await mkdtemp(path.join(makingDir, 'commit-'))
  try {
    const encoded = encodeCommit({ ...commit, ref: scratchRef, mark: 1, from: parentId })
    // The ref is reset at the end, so it is never written.
    const commitId = await fastImport(gitDir, [...encoded, `get-mark :1\nreset ${scratchRef}\n\n`], {
      searchPath,
      newObjectsIn: folder,
      settings: [['fastimport.unpackLimit', '0']],
    })
    const packs = (await readdir(path.join(folder, 'pack'))).filter((name) => name.endsWith('.pack'))
    const [pack] = packs
    if (packs.length > 1) throw new Error(`compose commit: ${packs.length} packs`)
    return { commitId, pack: pack === undefined ? emptyPack : await readFile(path.join(folder, 'pack', pack)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Pack of a commit that exists already, byte for byte: a form was submitted twice within a second. */
const emptyPack = encodeEmptyPack()

function encodeEmptyPack(): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  return Buffer.concat([head, createHash('sha1').update(head).digest()])
}
