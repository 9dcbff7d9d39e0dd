import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, it } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { replaceFile } from './write-outputs.ts'

it('replaceFile() keeps the mode of the file', async () => {
  const path = join(makeFolder({ after }), 'main.pdf')
  writeFileSync(path, 'older')
  chmodSync(path, 0o640)
  await replaceFile(path, Buffer.from('newer'))
  assert.deepEqual([readFileSync(path, 'utf8'), (statSync(path).mode & 0o777).toString(8)], ['newer', '640'])
})

for (const [what, older] of [
  ['its target', 'older'],
  ['its missing target', null],
] as const) {
  it(`replaceFile() keeps a symbolic link and writes ${what}`, async () => {
    const folder = makeFolder({ after })
    mkdirSync(join(folder, 'build'))
    if (older !== null) writeFileSync(join(folder, 'build', 'main.pdf'), older)
    symlinkSync('build/main.pdf', join(folder, 'main.pdf'))
    await replaceFile(join(folder, 'main.pdf'), Buffer.from('newer'))
    assert.deepEqual(
      [lstatSync(join(folder, 'main.pdf')).isSymbolicLink(), readFileSync(join(folder, 'build', 'main.pdf'), 'utf8')],
      [true, 'newer'],
    )
    assert.deepEqual([readdirSync(folder), readdirSync(join(folder, 'build'))], [['build', 'main.pdf'], ['main.pdf']])
  })
}

it('replaceFile() writes to a pipe or device instead of replacing it', async () => {
  const path = join(makeFolder({ after }), 'pipe')
  execFileSync('mkfifo', [path])
  const [read] = await Promise.all([readFile(path, 'utf8'), replaceFile(path, Buffer.from('newer'))])
  assert.deepEqual([read, statSync(path).isFIFO()], ['newer', true])
})

for (const option of ['-o', '--log'] as const) {
  it(`replaceFile() names ${option} if it cannot write the file`, async () => {
    const path = join(makeFolder({ after }), 'missing', 'file')
    await assert.rejects(replaceFile(path, Buffer.from('x'), option), {
      message: `cannot write ${path}: ENOENT: no such file or directory`,
      exitCode: 2,
      remedy: `Choose another file with ${option} FILE.`,
    })
  })
}
