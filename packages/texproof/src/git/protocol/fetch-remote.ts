/**
 * Downloads a repository from another server into a folder of its own. Nothing of it is visible until it is complete.
 *
 * git connects only to the given address, whatever its name resolves to meanwhile, and follows no redirect: a server
 * could otherwise make this one send requests into its own network. Objects are checked as in a push.
 */
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { syncFolder } from '../../base/durable-file.ts'
import { refuseRefName } from '../../domain/git/ref-names.ts'
import type { GitSetting } from '../process/git-settings.ts'
import { runGit, type GitRun } from '../process/run-git.ts'
import { followDownload } from './follow-download.ts'
import { limitedCommand } from './receive-limits.ts'

/** A repository on another server. */
export interface RemoteRepository {
  /** http or https, without a password. */
  readonly url: URL
  /** The IP address of its host. */
  readonly address: string
}

/**
 * The branches and tags that were downloaded, or why there are none: more than `maxBytes`, or a `reason` for the user.
 */
export type FetchOutcome =
  | {
      readonly kind: 'fetched'
      readonly refs: readonly { readonly ref: string; readonly objectId: string }[]
      /** Short name of the default branch; null if the server names none. */
      readonly defaultBranch: string | null
    }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Target of a download, and limits. */
export interface FetchOptions {
  /** Absolute path of a folder that does not exist. */
  readonly dir: string
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly searchPath: string
  readonly signal: AbortSignal
  /** Called about once a second with the size of what has arrived. */
  readonly onBytes?: (bytes: number) => void
  /** Git directory of a repository whose objects are not downloaded again. */
  readonly known?: string
}

const MAX_REFS = 500
const MAX_UNPACKED_RATIO = 200
const UNPACKED_FLOOR_BYTES = 512 * 1024 * 1024
const FETCH_FLAGS = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  // Without it, git leaves out the refs of a shallow repository, and succeeds.
  '--update-shallow',
]
const FSCK_EXCEPTIONS = ['zeroPaddedFilemode', 'badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedDate']

/** Downloads all branches and tags. */
export async function fetchRemote(remote: RemoteRepository, options: FetchOptions): Promise<FetchOutcome> {
  const { dir, maxBytes, timeoutMs, searchPath, known } = options
  const settings = settingsFor(remote)
  const run = (args: readonly string[], { isLimited = false, signal = options.signal } = {}): Promise<GitRun> =>
    runGit(args, {
      gitDir: dir,
      searchPath,
      settings,
      timeoutMs,
      signal,
      maxOutputBytes: 32 * 1024 * 1024,
      ...(isLimited ? { through: limitedCommand({ maxInputBytes: maxBytes }) } : {}),
    })
  await mkdir(dir, { mode: 0o700 })
  const made = await run(['init', '--quiet', '--bare', '--initial-branch=main'])
  if (!isGood(made)) throw new Error('create a folder for a download', { cause: made })
  const heads = await run(['ls-remote', '--symref', '--', remote.url.href, 'HEAD'], { isLimited: true })
  if (!isGood(heads)) return refuse(explain(heads))
  const alternates = join(dir, 'objects', 'info', 'alternates')
  if (known !== undefined) await writeFile(alternates, `${join(known, 'objects')}\n`)
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
  const fetched = await followDownload(options, (signal) =>
    run(['fetch', ...FETCH_FLAGS, '--', remote.url.href, ...refspecs], { isLimited: true, signal }),
  )
  if (fetched === 'too-large') return { kind: fetched }
  if (!isGood(fetched)) return refuse(explain(fetched))
  if (await isShallow(dir)) return refuse('The repository is a shallow clone: a part of its history is missing.')
  // Packs are complete without it, and only what was downloaded is checked.
  await rm(alternates, { force: true })
  const unsafe = await checkObjects(dir, { maxBytes, run })
  if (unsafe !== null) return unsafe
  const listed = await run(['for-each-ref', '--format=%(objectname) %(refname)'])
  if (!isGood(listed)) throw new Error('list the refs of a download', { cause: listed })
  const refs = parseRefs(listed.stdout.toString())
  if (refs.length === 0)
    return refuse('No branch was found: the repository is empty, or the address is not a clone URL.')
  if (refs.length > MAX_REFS) return refuse(`The repository has more than ${MAX_REFS} branches and tags.`)
  const invalid = refs.find(({ ref }) => refuseRefName(ref) !== null)
  if (invalid !== undefined) return refuse(`Unsupported ref name ${invalid.ref}: ${refuseRefName(invalid.ref)}.`)
  const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(heads.stdout.toString())?.[1] ?? null
  return { kind: 'fetched', refs, defaultBranch: refs.some(({ ref }) => ref === `refs/heads/${head}`) ? head : null }
}

/** Moves the objects of a download into a repository on the same disk. Its refs can then be moved to them. */
export async function takeFetched(gitDir: string, dir: string): Promise<void> {
  const packs = join(gitDir, 'objects', 'pack')
  await mkdir(packs, { recursive: true })
  for (const name of await readdir(join(dir, 'objects', 'pack')))
    await rename(join(dir, 'objects', 'pack', name), join(packs, name))
  await syncFolder(packs)
}

function settingsFor({ url, address }: RemoteRepository): readonly GitSetting[] {
  const protocol = url.protocol.replace(':', '')
  const port = url.port || (protocol === 'https' ? '443' : '80')
  const host = address.includes(':') ? `[${address}]` : address
  return [
    [`protocol.${protocol}.allow`, 'always'],
    // An address in the URL itself needs no entry.
    ...(url.hostname.replace(/^\[|\]$/g, '') === address
      ? []
      : [['http.curloptResolve', `${url.hostname}:${port}:${host}`] as const]),
    ['http.followRedirects', 'false'],
    ['http.proxy', ''],
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '30'],
    ['http.userAgent', 'git/texproof'],
    ['fetch.fsckObjects', 'true'],
    ...FSCK_EXCEPTIONS.map((name) => [`fetch.fsck.${name}`, 'warn'] as const),
    ['credential.helper', ''],
  ]
}

/** Everything is in packs, which are within the limits. */
async function checkObjects(
  dir: string,
  { maxBytes, run }: { readonly maxBytes: number; readonly run: (args: readonly string[]) => Promise<GitRun> },
): Promise<FetchOutcome | null> {
  const folders = await readdir(join(dir, 'objects'))
  if (folders.some((name) => /^[0-9a-f]{2}$/.test(name))) return refuse('The server sent no pack. It may be too old.')
  const sizes = await run([
    'cat-file',
    '--batch-all-objects',
    '--unordered',
    '--batch-check=%(objectsize) %(objectsize:disk)',
  ])
  if (!isGood(sizes)) return refuse('The repository has too many objects.')
  let [unpackedBytes, packedBytes] = [0, 0]
  for (const line of sizes.stdout.toString().split('\n')) {
    const [unpacked = '0', packed = '0'] = line.split(' ')
    unpackedBytes += Number(unpacked)
    packedBytes += Number(packed)
  }
  if (packedBytes > maxBytes) return { kind: 'too-large' }
  if (unpackedBytes > Math.max(UNPACKED_FLOOR_BYTES, MAX_UNPACKED_RATIO * packedBytes))
    return refuse('The repository unpacks to many times its size.')
  return null
}

/** Whether the history of the download ends at commits whose parents are missing. git lists them in a file. */
async function isShallow(dir: string): Promise<boolean> {
  return access(join(dir, 'shallow')).then(
    () => true,
    () => false,
  )
}

function parseRefs(text: string): readonly { readonly ref: string; readonly objectId: string }[] {
  return text.split('\n').flatMap((line) => {
    const [objectId, ref] = line.split(' ')
    return objectId === undefined || ref === undefined ? [] : [{ ref, objectId }]
  })
}

function isGood(run: GitRun): run is Extract<GitRun, { kind: 'exited' }> {
  return run.kind === 'exited' && run.exitCode === 0
}

/**
 * Error message for the user, from the output of git. Never contains the answer of the server, which could be another
 * service.
 */
function explain(run: GitRun): string {
  if (run.kind === 'timed-out') return 'The download timed out.'
  if (run.kind !== 'exited') return 'The download was stopped.'
  const { stderr } = run
  if (/failed to connect|couldn't connect/i.test(stderr)) return 'The server could not be reached.'
  if (/unable to update url base from redirection|redirect|returned error: 30\d/i.test(stderr))
    return 'The server redirects to another address. Use the clone URL shown there.'
  if (/could not read Username|Authentication failed|returned error: 40[13]/i.test(stderr))
    return 'The repository is private or does not exist.'
  if (/not found|returned error: 404/i.test(stderr)) return 'No repository was found at this address.'
  if (/certificate|SSL/i.test(stderr)) return 'The certificate of the server is not valid.'
  if (/Operation too slow|timed out/i.test(stderr)) return 'The server is too slow.'
  if (/returned error: (?:429|5\d\d)/i.test(stderr)) return 'The server is overloaded or not available.'
  if (/mismatched algorithms/i.test(stderr)) return 'The repository uses SHA-256 object names, which are not supported.'
  if (/corruption on the remote side/i.test(stderr)) return 'The repository is damaged on its server.'
  // The end of git's own process ends the connection, too.
  if (/unexpected disconnect|early EOF/i.test(stderr) && !/fsck error|died of signal/i.test(stderr))
    return 'The connection was lost during the download.'
  if (/fsck error|index-pack failed|invalid index-pack output/i.test(stderr))
    return 'The repository has objects that git refuses, or exceeds a limit.'
  return 'The server did not respond like a git server. Check the address.'
}

function refuse(reason: string): FetchOutcome {
  return { kind: 'refused', reason }
}
