import { luaRequest, nativeRequest, NATIVE_PROOF, systemCall } from '../documents.ts'
import type { HostileCase } from '../hostile-case.ts'

/** Every Linux host has these, and no compile requires them. */
const HOST_PATHS: readonly string[] = [
  '/etc/passwd',
  '/etc/group',
  '/etc/hostname',
  '/etc/hosts',
  '/etc/os-release',
  '/etc/fstab',
  '/etc/ssl',
  '/home',
  '/root',
  '/boot',
  '/opt',
  '/srv',
  '/mnt',
  '/run',
  '/proc/self/status',
  '/proc/cpuinfo',
  '/proc/mounts',
  '/sys/kernel',
  '/dev/tty',
  '/dev/zero',
  '/dev/shm',
  '/var/log',
  '/var/lib/dpkg',
  '/usr/sbin',
  '/usr/bin/mount',
  '/usr/share/doc',
]

/** System calls that processes of the host may make and compiles do not require, by their number on x86-64. */
const HOST_CALLS: readonly (readonly [name: string, call: string])[] = [
  ['memfd', '319, "x", 0'],
  ['inotify', '253'],
  ['shared-memory', '29, 4242, 4096, 01600'],
  ['message-queue', '68, 4243, 01600'],
  ['semaphore', '64, 4244, 1, 01600'],
  ['symlink', '88, "refs.bib", "second-name"'],
  ['hard-link', '86, "refs.bib", "third-name"'],
  ['fifo', '133, "pipe", 0010600, 0'],
  ['internet', '41, 2, 1, 0'],
  ['internet-6', '41, 10, 1, 0'],
  ['unix', '41, 1, 1, 0'],
  ['netlink', '41, 16, 3, 0'],
  ['crypto', '41, 38, 5, 0'],
  ['pidfd', '434, $$, 0'],
  ['personality', '135, 0x40000'],
  ['key', '250, 0, -3, 1'],
]

/** Everything a compile could see or call: each item exists without the sandbox. */
export const VIEW_CASES: readonly HostileCase[] = [
  ...HOST_PATHS.map((path): HostileCase => {
    const lua = `if lfs.attributes("${path}") then texio.write_nl("it is " .. "there") end`
    return { name: `view-path${path.replaceAll('/', '-')}`, request: luaRequest(lua), ...stopped('it is there') }
  }),
  ...HOST_CALLS.map(([name, call]): HostileCase => {
    const perl = `print "it " . "worked\\n" if ${systemCall(call)} >= 0`
    return { name: `view-call-${name}`, request: nativeRequest(perl), proof: NATIVE_PROOF, ...stopped('it worked') }
  }),
]

function stopped(token: string) {
  return { outcome: 'contained', forbidden: [token] } as const
}
