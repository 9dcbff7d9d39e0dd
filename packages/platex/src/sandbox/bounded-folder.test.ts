import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import {
  findBoundedFolderMaker,
  openBoundedFolder,
  type BoundedFolder,
  type BoundedFolderMaker,
} from './bounded-folder.ts'
import { removeTree } from './remove-tree.ts'
import { chooseOwner } from './unprivileged-owner.ts'
import { eventually } from '../../test/support/eventually.ts'

const MIB = 1024 * 1024
const owner = chooseOwner()
let mountPoint: string
let maker: BoundedFolderMaker | null

before(async () => {
  mountPoint = await mkdtemp(join(tmpdir(), 'platex-bounded-'))
  await chmod(mountPoint, 0o711)
  if (owner !== null) await chown(mountPoint, owner.uid, owner.gid)
  maker = await findBoundedFolderMaker('', { mountPoint, owner })
})

after(() => removeTree(mountPoint))

async function openSmall(t: TestContext): Promise<BoundedFolder | null> {
  const folder = maker === null ? null : await openBoundedFolder(maker, { maxBytes: 2 * MIB, maxEntries: 10 })
  if (folder === null) t.skip('unshare or nsenter is missing')
  else t.after(folder.close)
  return folder
}

function runIn(folder: BoundedFolder, script: string): string {
  const [program = '', ...args] = [...folder.enter, 'sh', '-c', script]
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return stdout + stderr
}

test('a bounded folder holds its maximum of bytes and no more', async (t) => {
  const folder = await openSmall(t)
  if (folder === null) return
  await assert.rejects(writeFile(join(folder.path, 'large'), Buffer.alloc(3 * MIB)), { code: 'ENOSPC' })
  const { blocks, bsize, bfree } = await statfs(folder.path)
  assert.deepEqual([blocks * bsize, bfree], [2 * MIB, 0])
})

test('a bounded folder holds its maximum of entries and no more', async (t) => {
  const folder = await openSmall(t)
  if (folder === null) return
  for (let count = 1; count <= 10; count += 1) await writeFile(join(folder.path, String(count)), '')
  await assert.rejects(writeFile(join(folder.path, 'eleven'), ''), { code: 'ENOSPC' })
})

test('a program that enters a bounded folder finds it at the mount point, and other programs do not', async (t) => {
  const folder = await openSmall(t)
  if (folder === null) return
  await writeFile(join(folder.path, 'inside'), 'x')
  assert.deepEqual([runIn(folder, `ls ${mountPoint}`), await readdir(mountPoint)], ['inside\n', []])
})

test('a program that root starts in a bounded folder runs as its owner, without other groups', async (t) => {
  if (owner === null) return t.skip('only root gives its folders to another user')
  const folder = await openSmall(t)
  if (folder === null) return
  const ids = Array(4).fill(owner.uid).join('\t')
  const said = runIn(folder, 'sed -n "s/^[UG]id:.//p; s/^Groups:.//p" /proc/self/status')
  assert.equal(said, `${ids}\n${ids}\n \n`)
})

test('a program that enters a bounded folder inherits no namespace', async (t) => {
  const folder = await openSmall(t)
  if (folder === null) return
  assert.doesNotMatch(runIn(folder, 'ls -l /proc/$$/fd'), /(?:mnt|user):/)
})

test('openBoundedFolder rejects with the message of the system', async (t) => {
  if (maker === null) return t.skip('unshare or nsenter is missing')
  const absent = openBoundedFolder({ ...maker, mountPoint: '/absent' }, { maxBytes: MIB, maxEntries: 10 })
  await assert.rejects(absent, { message: 'mount: /absent: mount point does not exist.' })
})

test('a closed bounded folder leaves no descriptor open', async (t) => {
  if (maker === null) return t.skip('unshare or nsenter is missing')
  const before = (await readdir('/proc/self/fd')).length
  const folder = await openBoundedFolder(maker, { maxBytes: MIB, maxEntries: 10 })
  folder.close()
  await eventually(async () => (await readdir('/proc/self/fd')).length <= before + 4)
})
