import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jobPathsOf, toWorkspacePath } from './job-paths.ts'

test('jobPathsOf splits a root file into folder, name and job name', () => {
  assert.deepEqual(jobPathsOf('paper/main.tex'), { folder: 'paper', rootName: 'main.tex', jobName: 'main' })
  assert.deepEqual(jobPathsOf('main.tex'), { folder: '', rootName: 'main.tex', jobName: 'main' })
})

test('jobPathsOf cuts the last ending, as TeX does', () => {
  const names = ['notes.ltx', 'pier.dtx', 'PIER.TEX', 'a.b.tex', 'plain']
  assert.deepEqual(
    names.map((name) => jobPathsOf(name).jobName),
    ['notes', 'pier', 'PIER', 'a.b', 'plain'],
  )
})

test('jobPathsOf replaces the special characters of TeX in job names', () => {
  assert.equal(jobPathsOf('my 50% paper.tex').jobName, 'my-50--paper')
})

test('toWorkspacePath resolves names against the working directory of TeX', () => {
  assert.equal(toWorkspacePath('./one.tex', 'paper'), 'paper/one.tex')
  assert.equal(toWorkspacePath('../shared/x.tex', 'paper'), 'shared/x.tex')
  assert.equal(toWorkspacePath('../../x.tex', 'paper'), null)
  assert.equal(toWorkspacePath('/etc/passwd', ''), null)
})

test('toWorkspacePath never leads out of the workspace', () => {
  const part = fc.constantFrom('..', '.', 'a', 'b.tex', '')
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom('', 'a', 'a/b'), (parts, folder) => {
      const path = toWorkspacePath(parts.join('/'), folder)
      assert.ok(path === null || (!path.startsWith('/') && !path.split('/').includes('..')))
    }),
  )
})
