/**
 * A copy of a repository that is whole, taken while it is pushed to and its garbage is collected.
 *
 * Refs first, then the objects: every object that a ref reaches was there before the ref. The objects are taken as links
 * to the same files, which never change, so that a copy costs no space and what git throws away stays readable in it.
 * git moves objects one way only, from loose files to packs and from packs to larger packs, and makes the new place
 * before it removes the old one: so loose files come first, and packs until a look finds none that is new. A repack
 * that throws away what a push has just let go of can still win the race, which the last step notices: it walks
 * everything that the refs reach, and where something is missing the copy is taken again.
 *
 * `git bundle` would do without links, but it leaves out every commit that no ref reaches any more, and those have
 * pages, too.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

import { checkConnectivity } from './check-connectivity.ts'
import { collect, maxStderrBytes, runGit } from '../process/run-git.ts'
import { spawnGit } from '../process/spawn-git.ts'
import { usesReftable } from '../refs/uses-reftable.ts'

/** What came of a copy. `damage` says what is missing in the repository itself; null = it is whole. */
export type RepositoryCopy = { readonly kind: 'copied'; readonly damage: string | null } | { readonly kind: 'gone' }

interface CopyOptions {
  /** A folder that does not exist yet, on the same file system if links are to be had. */
  readonly target: string
  readonly searchPath: string
  /** Stops it, half a copy being left. */
  readonly signal?: AbortSignal | undefined
}

/** A repack that runs meanwhile is over by then. */
const ATTEMPTS = 3

/** Copies a repository, as far as there is one. */
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

/** What stood in the way; null when nothing did. */
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

/** The file says nothing where refs are kept in tables. */
async function readHead(gitDir: string, { searchPath }: CopyOptions): Promise<string | null> {
  if (!usesReftable(gitDir)) return readFile(path.join(gitDir, 'HEAD'), 'utf8').catch(nothingIfAbsent)
  const limits = { timeoutMs: 30_000, maxOutputBytes: 4_096 }
  const run = await runGit(['symbolic-ref', 'HEAD'], { gitDir, searchPath, ...limits })
  return run.kind === 'exited' && run.exitCode === 0 ? `ref: ${run.stdout.toString('utf8')}` : null
}

/** Refs are copied as text, in whatever form the repository keeps them. */
function withFileRefs(config: string): string {
  return config.replaceAll(/^\s*refstorage\s*=.*\n/gim, '')
}

/** All refs in the form of `packed-refs`, also those that no client sees. git sorts them as that file wants it. */
async function copyRefs(gitDir: string, { target, searchPath }: CopyOptions): Promise<string | null> {
  const args = [`--git-dir=${gitDir}`, 'for-each-ref', '--format=%(objectname) %(refname)']
  const child = spawnGit(args, { gitDir, searchPath })
  child.stdin.on('error', () => {}) // git may end before it hears that there is no input
  child.stdin.end()
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  const closed = once(child, 'close') as Promise<[number | null]>
  const file = createWriteStream(path.join(target, 'packed-refs'))
  file.write('# pack-refs with: sorted \n')
  await pipeline(child.stdout, file)
  const [exitCode] = await closed
  return exitCode === 0 ? null : `git ended with ${exitCode}: ${stderr().toString().trim()}`
}

/** One that is gone meanwhile is in a pack by now. */
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

/** A pack has its index last and loses it first, so what has one is whole until it is linked, or gone. */
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

/** False when the file is gone. */
async function linkFile(from: string, to: string): Promise<boolean> {
  const linked = await link(from, to).then(
    () => true,
    // Another file system, or one without links; and again what is gone is gone.
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
