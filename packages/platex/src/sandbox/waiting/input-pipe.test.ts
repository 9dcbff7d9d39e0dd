import assert from 'node:assert/strict'
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openInputPipe } from './input-pipe.ts'

const root = await mkdtemp(join(tmpdir(), 'input-pipe-'))
after(() => rm(root, { recursive: true, force: true }))

async function makeWorkspace(name: string): Promise<string> {
  const dir = join(root, name)
  await mkdir(join(dir, 'papers'), { recursive: true })
  return dir
}

test('a reader gets what is written, and the end after the end', async () => {
  const dir = await makeWorkspace('read')
  const pipe = await openInputPipe(dir, 'papers/tides.tex')
  const reader = await open(join(dir, 'papers/tides.tex'), 'r')
  pipe.write(Buffer.from('ebb '))
  pipe.end(Buffer.from('and flow'))
  assert.equal((await reader.readFile()).toString(), 'ebb and flow')
  await reader.close()
  pipe.close()
})

test('a file takes the place of the pipe', async () => {
  const dir = await makeWorkspace('replaced')
  const pipe = await openInputPipe(dir, 'papers/tides.tex')
  await pipe.replaceByFile(Buffer.from('all of it'))
  assert.equal(await readFile(join(dir, 'papers/tides.tex'), 'utf8'), 'all of it')
  pipe.close()
})

test('a link in place of the folder does not redirect the file', async () => {
  const dir = await makeWorkspace('redirected')
  const outside = join(root, 'outside')
  await mkdir(outside)
  const pipe = await openInputPipe(dir, 'papers/tides.tex')
  await rename(join(dir, 'papers'), join(dir, 'moved'))
  await symlink(outside, join(dir, 'papers'))
  await pipe.replaceByFile(Buffer.from('all of it'))
  assert.deepEqual([await readdir(outside), await readdir(join(dir, 'moved'))], [[], ['tides.tex']])
  pipe.close()
})

test('a link in place of the pipe does not redirect the file', async () => {
  const dir = await makeWorkspace('linked')
  const secret = join(root, 'secret')
  const pipe = await openInputPipe(dir, 'papers/tides.tex')
  await rm(join(dir, 'papers/tides.tex'))
  await symlink(secret, join(dir, 'papers/tides.tex'))
  await pipe.replaceByFile(Buffer.from('all of it'))
  assert.deepEqual((await readdir(root)).includes('secret'), false)
  pipe.close()
})
