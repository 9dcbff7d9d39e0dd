/** A data directory on a disk that turned read-only: the server and the commands report it, and nothing is lost. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { addUser } from '../../src/accounts/users/add-user.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { openStore } from '../../src/store/store.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

const disk = mountDisk()
const skip = disk === null ? 'only root may mount a file system' : false
const dataDir = join(disk ?? '', 'data')

before(async () => {
  if (disk === null) return
  const store = await openStore({ dataDir })
  await addUser(store, { login: 'alice' })
  await store.close()
  execFileSync('mount', ['-o', 'remount,ro', disk])
})

after(() => {
  if (disk === null) return
  execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

/** null for an unprivileged user, and for root in a container without the right to mount. */
function mountDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-read-only-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder])
  if (mounted.status === 0) return folder
  rmSync(folder, { recursive: true })
  return null
}

for (const args of [
  ['serve', '--listen', '127.0.0.1:0'],
  ['user', 'add', 'bob'],
  ['user', 'list'],
  ['backup', 'create', '/tmp/never.tar'],
])
  test(`texproof ${args.slice(0, 2).join(' ')} names a read-only data directory and its remedy`, { skip }, async () => {
    const { stdout, stderr, exitCode } = await runTexproof([...args, '--data', dataDir])
    assert.deepEqual(
      [exitCode, stdout, stderr.split('\n').filter((line) => !line.startsWith('!'))],
      [
        2,
        '',
        [
          `texproof: ${dataDir} is on a read-only file system`,
          '          Check the disk with dmesg, then remount it: mount -o remount,rw MOUNT_POINT',
          '',
        ],
      ],
    )
  })

test(
  'texproof doctor names a read-only data directory, and reports nothing that follows from it',
  { skip },
  async () => {
    const { stdout, exitCode } = await runTexproof(['doctor', '--json', '--data', dataDir])
    const findings = JSON.parse(stdout) as readonly Finding[]
    assert.deepEqual(
      [exitCode, findings.filter(({ check }) => ['data', 'database', 'backup'].includes(check))],
      [
        1,
        [
          {
            check: 'data',
            state: 'broken',
            message: `${dataDir} is on a read-only file system`,
            remedy: 'Check the disk with dmesg, then remount it: mount -o remount,rw MOUNT_POINT',
          },
        ],
      ],
    )
  },
)

test('once the disk can be written again, everything is there', { skip }, async () => {
  execFileSync('mount', ['-o', 'remount,rw', disk ?? ''])
  const { stdout, exitCode } = await runTexproof(['user', 'list', '--data', dataDir, '--json'])
  const users = JSON.parse(stdout) as readonly { readonly login: string }[]
  assert.deepEqual([exitCode, users.map(({ login }) => login)], [0, ['alice']])
})
