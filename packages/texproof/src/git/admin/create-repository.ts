/**
 * Creates a repository with one rename.
 *
 * Everything is written under `tmp/` and synced to disk, then the folder is renamed to its final path, and its parent
 * folder is synced. A crash before the rename leaves an unused folder (swept later), a crash after it leaves a complete
 * repository; there is no state in between.
 */
import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { refuseRefName } from '../../domain/git/ref-names.ts'
import { syncFolder, writeDurably } from '../../base/durable-file.ts'
import { encodeInitialCommit } from '../write/encode-initial-commit.ts'
import { makingFolder, repositoryPath } from './repository-path.ts'
import type { InitialCommit } from '../types.ts'

/** Options of a new repository. */
export interface CreateRepositoryOptions {
  readonly defaultBranch: string
  /** Null for an empty repository. */
  readonly initialCommit: InitialCommit | null
  /** Called after each step; a test ends the process there. */
  readonly onStep?: (step: string) => void
}

/** The creation failed after the repository was in place: the caller removes it. */
export class RepositoryInPlace extends Error {}

/**
 * Creates a bare repository, with its first commit if one is given.
 *
 * @throws RepositoryInPlace when a late step fails. After any other Error, for example because the id has a repository or the
 * branch name is invalid, it has made none: a folder with the id belongs to another repository.
 */
export async function createRepository(
  root: string,
  repositoryId: number,
  options: CreateRepositoryOptions,
): Promise<void> {
  const refusal = refuseRefName(`refs/heads/${options.defaultBranch}`)
  if (refusal !== null) throw new Error(`create repository: default branch: ${refusal}`)
  const onStep = options.onStep ?? (() => {})
  const gitDir = repositoryPath(root, repositoryId)
  if (await exists(gitDir)) throw new Error(`create repository: ${repositoryId} exists`)
  const making = path.join(makingFolder(root), `${repositoryId}-${randomBytes(8).toString('hex')}`)
  let isInPlace = false
  try {
    await build(making, options, onStep)
    await mkdir(path.dirname(gitDir), { recursive: true, mode: 0o700 })
    await syncFolder(root)
    onStep('made the folder of the place')
    // Renaming over an existing repository fails, because its folder is not empty.
    await rename(making, gitDir)
    isInPlace = true
    onStep('renamed into place')
    await syncFolder(path.dirname(gitDir))
    onStep('flushed the place')
  } catch (cause) {
    if (isInPlace) throw new RepositoryInPlace(`create repository ${repositoryId}`, { cause })
    await rm(making, { recursive: true, force: true })
    throw new Error(`create repository ${repositoryId}`, { cause })
  }
}

async function build(folder: string, options: CreateRepositoryOptions, onStep: (step: string) => void): Promise<void> {
  const { defaultBranch, initialCommit } = options
  const commit = initialCommit === null ? null : encodeInitialCommit(initialCommit)
  const folders = ['', 'objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads', 'refs/tags']
  for (const { objectId } of commit?.objects ?? []) folders.push(`objects/${objectId.slice(0, 2)}`)
  for (const name of new Set(folders)) {
    await mkdir(path.join(folder, name), { mode: 0o700 })
    onStep(`made ${name}/`)
  }
  for (const { objectId, bytes } of commit?.objects ?? []) {
    await writeDurably(path.join(folder, 'objects', objectId.slice(0, 2), objectId.slice(2)), bytes)
    onStep(`wrote object ${objectId}`)
  }
  const files = new Map([['config', repositoryConfig]])
  // Refs are packed from the start, so the reader finds no loose refs.
  if (commit !== null) files.set('packed-refs', `${packedRefsHeader}\n${commit.commitId} refs/heads/${defaultBranch}\n`)
  files.set('HEAD', `ref: refs/heads/${defaultBranch}\n`)
  for (const [name, text] of files) {
    await writeDurably(path.join(folder, name), text)
    onStep(`wrote ${name}`)
  }
  await Promise.all([...new Set(folders)].map((name) => syncFolder(path.join(folder, name))))
  await syncFolder(path.dirname(folder))
  onStep('flushed the folders')
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(() => true, whenAbsent(false))
}

/**
 * Git configuration of a new repository: only its format. All other settings are passed to each git process
 * (`git-settings.ts`).
 */
const repositoryConfig = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[http]
\tgetanyfile = false
`

const packedRefsHeader = '# pack-refs with: peeled fully-peeled sorted '
