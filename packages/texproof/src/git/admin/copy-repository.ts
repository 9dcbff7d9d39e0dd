/**
 * A complete copy of a repository, taken while pushes and garbage collection run.
 *
 * Refs are copied first, then the objects: every object that a ref reaches existed before the ref. The objects are hard
 * links to the same files, which never change, so a copy takes no space, and it keeps objects that git deletes later.
 * git moves objects in one direction only, from loose files to packs and from packs to larger packs, and writes the new
 * file before it deletes the old one. Therefore loose files are copied first, and then packs until a listing finds no
 * new one. A repack that deletes objects of a concurrent push can still win the race. The last step detects this: it
 * walks everything that the refs reach, and if objects are missing, the copy is repeated.
 *
 * `git bundle` needs no links, but omits unreachable commits, which also have pages.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

import { checkConnectivity } from './check-connectivity.ts'
import { checkRefs } from './check-repository.ts'
import { collect, maxStderrBytes, runGit } from '../process/run-git.ts'
import { spawnGit } from '../process/spawn-git.ts'
import { usesReftable } from '../refs/uses-reftable.ts'

/** The outcome of a copy. `damage` describes what is missing in the repository itself; null = it is complete. */
export type RepositoryCopy = { readonly kind: 'copied'; readonly damage: string | null } | { readonly kind: 'gone' }

interface CopyOptions {
  /** A folder that does not exist yet. Links require the same file system. */
  readonly target: string
  readonly searchPath: string
  /** Stops the copy and leaves it unfinished. */
  readonly signal?: AbortSignal | undefined
}

/** A concurrent repack is over by then. */
const ATTEMPTS = 3

/** Copies a repository, if it exists. */
export async function copyRepository(gitDir: string, options: CopyOptions): Promise<RepositoryCopy> {
  const { target } = options
  for (let attempt = 1; ; attempt += 1) {
    const damage = (await copyOnce(gitDir, options)) ?? (await checkConnectivity(target, options))
    if (damage !== null && !(await isThere(gitDir))) {
      await rm(target, { recursive: true, force: true })
      return { kind: 'gone' }
    }
    if (damage === null || attempt === ATTEMPTS) return { kind: 'copied', damage }
    await rm(target, { recursive: true, force: true })
  }
}

/** Why this attempt failed; null on success. */
async function copyOnce(gitDir: string, options: CopyOptions): Promise<string | null> {
  const { target } = options
  for (const folder of ['objects/pack', 'refs/heads', 'refs/tags'])
    await mkdir(path.join(target, folder), { recursive: true, mode: 0o700 })
  const config = await readFile(path.join(gitDir, 'config'), 'utf8').catch(nothingIfAbsent)
  await writeFile(path.join(target, 'config'), withFileRefs(config ?? ''))
  const head = await readHead(gitDir, options)
  if (head !== null) await writeFile(path.join(target, 'HEAD'), head)
  const refsDamage = await copyRefs(gitDir, options)
  await linkLooseObjects(gitDir, target)
  await linkPacks(gitDir, target)
  return head === null ? 'HEAD is missing' : refsDamage
}

/** With reftables, the file does not contain the branch. */
async function readHead(gitDir: string, { searchPath }: CopyOptions): Promise<string | null> {
  if (!usesReftable(gitDir)) return readFile(path.join(gitDir, 'HEAD'), 'utf8').catch(nothingIfAbsent)
  const limits = { timeoutMs: 30_000, maxOutputBytes: 4_096 }
  const run = await runGit(['symbolic-ref', 'HEAD'], { gitDir, searchPath, ...limits })
  return run.kind === 'exited' && run.exitCode === 0 ? `ref: ${run.stdout.toString('utf8')}` : null
}

/** Refs are copied as text, whatever the ref format of the repository. */
function withFileRefs(config: string): string {
  return config.replaceAll(/^\s*refstorage\s*=.*\n/gim, '')
}

/**
 * All refs in the format of `packed-refs`, including internal ones. git sorts them as required. Returns what is wrong with
 * them; null = nothing.
 */
async function copyRefs(gitDir: string, { target, searchPath }: CopyOptions): Promise<string | null> {
  const args = [`--git-dir=${gitDir}`, 'for-each-ref', '--format=%(objectname) %(refname)']
  const child = spawnGit(args, { gitDir, searchPath })
  child.stdin.on('error', () => {}) // git may exit before it reads the end of the input
  child.stdin.end()
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  const closed = once(child, 'close') as Promise<[number | null]>
  const file = createWriteStream(path.join(target, 'packed-refs'))
  file.write('# pack-refs with: sorted \n')
  // Together: of a git that cannot be started, both reject.
  const [[exitCode]] = await Promise.all([closed, pipeline(child.stdout, file)])
  const output = stderr().toString()
  if (exitCode !== 0) return `git ended with ${exitCode}: ${output.trim()}`
  // git omits a ref that it cannot read, with a warning only.
  const omitted = [...output.matchAll(/ignoring (?:broken ref|ref with broken name) (\S+)/g)].map(([, ref]) => ref)
  if (omitted.length > 0) return `git cannot read ${omitted.join(', ')}`
  // It omits a folder that it cannot read without a warning; here, that throws.
  return (await checkRefs(gitDir)).map(({ path: file, detail }) => `${file} ${detail}`).join(', ') || null
}

/** A loose object that disappears in the meantime is in a pack. */
async function linkLooseObjects(gitDir: string, target: string): Promise<void> {
  const objects = path.join(gitDir, 'objects')
  for (const spread of await listNames(objects)) {
    if (!/^[0-9a-f]{2}$/.test(spread)) continue
    await mkdir(path.join(target, 'objects', spread), { mode: 0o700 })
    for (const name of await listNames(path.join(objects, spread)))
      if (/^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(name))
        await linkFile(path.join(objects, spread, name), path.join(target, 'objects', spread, name))
  }
}

/**
 * git writes the index of a pack last and deletes it first, so a pack with an index is complete when it is linked, or
 * gone.
 */
async function linkPacks(gitDir: string, target: string): Promise<void> {
  const [from, to] = [gitDir, target].map((folder) => path.join(folder, 'objects/pack'))
  if (from === undefined || to === undefined) return
  const seen = new Set<string>()
  for (let hasNew = true; hasNew;) {
    const names = await listNames(from)
    const fresh = names.flatMap((name) => /^(pack-[0-9a-f]+)\.idx$/.exec(name)?.[1] ?? []).filter((it) => !seen.has(it))
    for (const pack of fresh) {
      seen.add(pack)
      const parts = await Promise.all(
        ['pack', 'idx'].map((part) => linkFile(path.join(from, `${pack}.${part}`), path.join(to, `${pack}.${part}`))),
      )
      if (parts.includes(false))
        for (const part of ['pack', 'idx']) await rm(path.join(to, `${pack}.${part}`), { force: true })
    }
    hasNew = fresh.length > 0
  }
}

/** Returns false if the file is gone. */
async function linkFile(from: string, to: string): Promise<boolean> {
  const linked = await link(from, to).then(
    () => true,
    // Another file system, or one without links. Again, the file may be gone.
    () => copyFile(from, to).then(() => true, nothingIfAbsent),
  )
  return linked ?? false
}

async function listNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(nothingIfAbsent)) ?? []
}

async function isThere(place: string): Promise<boolean> {
  return (await stat(place).catch(nothingIfAbsent)) !== null
}

function nothingIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
