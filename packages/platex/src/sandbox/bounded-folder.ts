/**
 * A folder whose size the kernel limits: a tmpfs with a maximum size and number of entries, in a mount namespace of its
 * own.
 *
 * A short-lived process creates the namespace, mounts the tmpfs and exits. The descriptors held by this process keep
 * the namespace, so no process has to be supervised, and when the service ends for any reason, the kernel removes the
 * namespace and the memory of its files. An unprivileged user needs a user namespace for the mount; root mounts without
 * one, because files of root cannot exist in a file system that does not map root.
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { close as closeDescriptor, openSync } from 'node:fs'
import { findProgram } from './find-program.ts'
import { spawnProgram } from './spawner/spawner.ts'
import type { FolderBounds } from './limits/limits.ts'
import { killGroup } from './limits/process-tree.ts'
import type { UnprivilegedOwner } from './unprivileged-owner.ts'

export interface BoundedFolder {
  /** Path of the folder for this process. */
  readonly path: string
  /** Command prefix that starts a program with the folder at the mount point, and replaces itself by it. */
  readonly enter: readonly string[]
  /** Releases the folder. It is removed with the last process that uses it. */
  readonly close: () => void
}

/** Creates bounded folders. */
export interface BoundedFolderMaker {
  /** Absolute paths. */
  readonly unshare: string
  readonly nsenter: string
  /** Folder of the host at which a program inside finds the bounded folder. */
  readonly mountPoint: string
  /** Owner of the folder; null = the current user. */
  readonly owner: UnprivilegedOwner | null
}

const MOUNT_TIMEOUT_MS = 60_000
/** The folder itself counts as an entry. */
const OWN_ENTRIES = 1

/** Mounts, reports, and waits until this process has opened the namespaces. */
const SCRIPT = 'mount -n -t tmpfs -o "$1" tmpfs "$2" && echo ready && read -r _'
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** Finds the programs for bounded folders; null if one is missing. */
export async function findBoundedFolderMaker(
  searchPath: string,
  place: Pick<BoundedFolderMaker, 'mountPoint' | 'owner'>,
): Promise<BoundedFolderMaker | null> {
  const [unshare, nsenter] = await Promise.all([findProgram('unshare', searchPath), findProgram('nsenter', searchPath)])
  return unshare === null || nsenter === null ? null : { unshare, nsenter, ...place }
}

/** Creates a bounded folder; rejects with the message of the system. */
export async function openBoundedFolder(maker: BoundedFolderMaker, bounds: FolderBounds): Promise<BoundedFolder> {
  const { owner, mountPoint } = maker
  const options = [
    `size=${bounds.maxBytes}`,
    `nr_inodes=${bounds.maxEntries + OWN_ENTRIES}`,
    'mode=0700,nosuid,nodev',
    ...(owner === null ? [] : [`uid=${owner.uid},gid=${owner.gid}`]),
  ].join(',')
  const namespaces = owner === null ? ['--user', '--map-root-user', '--mount'] : ['--mount']
  const args = [...namespaces, '--', 'sh', '-c', SCRIPT, 'sh', options, mountPoint]
  const mounting = spawnProgram({ program: maker.unshare, args, cwd: '/', env: ENVIRONMENT }, ['pipe', 'pipe', 'pipe'])
  const patience = setTimeout(() => mounting.pid !== undefined && killGroup(mounting.pid), MOUNT_TIMEOUT_MS)
  try {
    await untilReady(mounting)
    return hold(mounting.pid ?? 0, maker)
  } finally {
    clearTimeout(patience)
    mounting.stdin?.destroy()
  }
}

async function untilReady(mounting: ChildProcess): Promise<void> {
  const said: string[] = []
  mounting.stdin?.on('error', () => {}) // The process has ended; its exit says why.
  mounting.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const ended = once(mounting, 'close').then(() => {
    throw new Error(said.join('').trim().split('\n')[0] || 'mounting a tmpfs failed')
  })
  const ready = mounting.stdout === null ? ended : once(mounting.stdout, 'data')
  // It may be ready before its pid is known.
  await Promise.race([Promise.all([once(mounting, 'spawn'), ready]), ended])
  ended.catch(() => {}) // It may end now.
}

/** Opens the descriptors that keep the folder. */
function hold(pid: number, { nsenter, mountPoint, owner }: BoundedFolderMaker): BoundedFolder {
  const descriptors: number[] = []
  const open = (path: string): number => {
    const descriptor = openSync(`/proc/${pid}/${path}`, 'r')
    descriptors.push(descriptor)
    return descriptor
  }
  const close = (): void => {
    // Closed on another thread: with the last descriptor, the kernel removes the namespace, which takes milliseconds.
    for (const descriptor of descriptors.splice(0)) closeDescriptor(descriptor)
  }
  try {
    // By pid: nsenter opens them itself, so that confined programs do not inherit them.
    const namespace = (path: string) => `/proc/${process.pid}/fd/${open(path)}`
    const enter =
      owner === null
        ? ['--preserve-credentials', `--user=${namespace('ns/user')}`, `--mount=${namespace('ns/mnt')}`]
        : [`--setuid=${owner.uid}`, `--setgid=${owner.gid}`, `--mount=${namespace('ns/mnt')}`]
    return { path: `/proc/self/fd/${open(`root${mountPoint}`)}`, enter: [nsenter, ...enter, '--'], close }
  } catch (error) {
    close()
    throw error
  }
}
