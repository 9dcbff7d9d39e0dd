/** Commits, folders and files of the repositories. Objects never change, so they are cached by id. */
import { createIdleCache } from '../../base/idle-cache.ts'
import { isObjectId } from '../is-object-id.ts'
import type { Commit, GitPerson, GitStore, TagNote, TreeEntry } from '../types.ts'
import { refuseDamaged } from './damaged-object.ts'
import { listFiles } from './list-files.ts'
import { findInFolder, listFolder, maxListedEntries } from './list-folder.ts'
import type { ObjectPool } from './object-pool.ts'
import { openBlob } from './open-blob.ts'
import { parseCommit, parseTagNote } from './parse-commit.ts'
import { readObject } from './read-objects.ts'

/** The part of the store that reads objects. */
export interface Objects extends Pick<
  GitStore,
  'findCommit' | 'findCommitByPrefix' | 'listFolder' | 'findEntry' | 'listFiles' | 'readBlob' | 'openBlob'
> {
  /** The contents of an annotated tag; null for any other object. */
  readTagNote(repositoryId: number, objectId: string): Promise<TagNote | null>
  /** Drops what is cached of a repository. */
  forget(repositoryId: number): void
}

/** Location of the objects. */
export interface ObjectsOptions {
  readonly pool: ObjectPool
  readonly searchPath: string
  readonly gitDir: (repositoryId: number) => string
}

/** Opens the objects of all repositories. */
export function openObjects({ pool, searchPath, gitDir }: ObjectsOptions): Objects {
  const folders = createIdleCache<readonly TreeEntry[]>({
    maxSize: maxCachedFolderBytes,
    sizeOf: (entries) => entries.reduce((sum, { name }) => sum + 200 + 2 * name.length, 500),
  })
  const blobs = createIdleCache<Uint8Array>({
    maxSize: maxCachedBlobsBytes,
    sizeOf: (bytes) => 500 + bytes.byteLength,
  })
  const commits = createIdleCache<Commit>({ maxSize: maxCachedCommitBytes, sizeOf: sizeOfCommit })
  const notes = createIdleCache<{ readonly note: TagNote | null }>({
    maxSize: maxCachedCommitBytes,
    sizeOf: ({ note }) => 500 + 2 * (note?.message.length ?? 0) + sizeOfPerson(note?.tagger),
  })

  async function findCommit(repositoryId: number, commitId: string): Promise<Commit | null> {
    if (!isObjectId(commitId)) return null
    const key = `${repositoryId} ${commitId}`
    const known = commits.get(key)
    if (known !== undefined) return known
    const name = { objectId: commitId, peelTo: null, maxBytes: maxCommitBytes }
    const object = await readObject(pool, gitDir(repositoryId), name)
    const commit = object?.type === 'commit' ? parseCommit(commitId, object.bytes) : null
    if (commit !== null) commits.set(key, commit)
    return commit
  }

  async function listEntries(
    repositoryId: number,
    commitId: string,
    path: string,
  ): Promise<readonly TreeEntry[] | null> {
    if (!isObjectId(commitId)) return null
    const key = `${repositoryId} ${commitId} ${path}`
    const entries = folders.get(key) ?? (await listFolder(pool, gitDir(repositoryId), { commitId, path }))
    if (entries !== null) folders.set(key, entries)
    return entries
  }

  return {
    findCommit,

    async findCommitByPrefix(repositoryId, prefix) {
      if (!/^[0-9a-f]{7,39}$/.test(prefix)) return null
      const query = { command: 'info', objectId: prefix, peelTo: 'commit' } as const
      const replies = await pool.ask(gitDir(repositoryId), [query])
      refuseDamaged(gitDir(repositoryId), [query], replies)
      const [reply] = replies
      // For git, a ref of this name precedes an object.
      const isFound = reply?.kind === 'object' && reply.objectId.startsWith(prefix)
      return isFound ? findCommit(repositoryId, reply.objectId) : null
    },

    listFolder: listEntries,

    async findEntry(repositoryId, commitId, path) {
      const slash = path.lastIndexOf('/')
      const folder = path.slice(0, Math.max(0, slash))
      const name = path.slice(slash + 1)
      const entries = await listEntries(repositoryId, commitId, folder)
      const entry = entries?.find((each) => each.name === name) ?? null
      if (entry !== null || entries === null || entries.length < maxListedEntries) return entry
      return findInFolder(pool, gitDir(repositoryId), { commitId, path: folder, name })
    },

    async listFiles(repositoryId, commitId, { maxFiles }) {
      return isObjectId(commitId) ? listFiles(pool, gitDir(repositoryId), { commitId, maxFiles }) : null
    },

    async readBlob(repositoryId, objectId, { maxBytes }) {
      if (!isObjectId(objectId)) return null
      const key = `${repositoryId} ${objectId}`
      const known = blobs.get(key)
      if (known !== undefined) return known.byteLength <= maxBytes ? known : null
      const object = await readObject(pool, gitDir(repositoryId), { objectId, peelTo: null, maxBytes })
      if (object?.type !== 'blob') return null
      // Larger blobs would evict all others.
      if (object.bytes.byteLength <= maxCachedBlobBytes) blobs.set(key, object.bytes)
      return object.bytes
    },

    async openBlob(repositoryId, objectId) {
      return isObjectId(objectId) ? openBlob(gitDir(repositoryId), { objectId, pool, searchPath }) : null
    },

    async readTagNote(repositoryId, objectId) {
      const key = `${repositoryId} ${objectId}`
      const known = notes.get(key)
      if (known !== undefined) return known.note
      const object = await readObject(pool, gitDir(repositoryId), { objectId, peelTo: null, maxBytes: maxCommitBytes })
      const note = object?.type === 'tag' ? parseTagNote(object.bytes) : null
      notes.set(key, { note })
      return note
    },

    forget(repositoryId) {
      for (const cache of [commits, folders, blobs, notes])
        for (const key of cache.keys()) if (key.startsWith(`${repositoryId} `)) cache.delete(key)
    },
  }
}

function sizeOfCommit(commit: Commit): number {
  const { message, parentIds, author, committer } = commit
  return 500 + 2 * message.length + 50 * parentIds.length + sizeOfPerson(author) + sizeOfPerson(committer)
}

function sizeOfPerson(person: GitPerson | null | undefined): number {
  return 2 * ((person?.name.length ?? 0) + (person?.email.length ?? 0))
}

/** A longer commit is treated as missing: no real commit message has this length. */
const maxCommitBytes = 1024 * 1024

const maxCachedCommitBytes = 16 * 1024 * 1024

const maxCachedFolderBytes = 16 * 1024 * 1024

const maxCachedBlobBytes = 512 * 1024

const maxCachedBlobsBytes = 24 * 1024 * 1024
