import assert from 'node:assert/strict'
import { before, test } from 'node:test'

import { openSandbox } from '../sandbox/open-sandbox.ts'
import type { Sandbox } from '../sandbox/types.ts'
import { openInventory } from './open-inventory.ts'

let sandbox: Sandbox
let tex: ReturnType<typeof openInventory>

before(async () => {
  sandbox = await openSandbox('auto')
  tex = openInventory(sandbox)
})

test('an inventory has the release, programs with their versions, and counts', async () => {
  const { release, programs, missingPrograms, packageCount, classCount } = await tex.inventory()
  assert.match(release ?? '', /^TeX Live \d{4}/)
  assert.match(programs.find(({ name }) => name === 'pdflatex')?.version ?? '', /^1\.\d+\.\d+$/)
  assert.deepEqual(
    missingPrograms.filter((name) => sandbox.has(name)),
    [],
  )
  assert.ok(packageCount > 100 && classCount > 10)
})

test('findPackage finds packages and classes by name and file, with their declared version', async () => {
  const answers = await Promise.all(['graphicx', 'article', 'article.cls', ' graphicx.sty '].map(tex.findPackage))
  assert.deepEqual(
    answers.map((answer) => (answer.kind === 'installed' ? answer.fileName : answer.kind)),
    ['graphicx.sty', 'article.cls', 'article.cls', 'graphicx.sty'],
  )
  const [graphicx] = answers
  assert.match((graphicx?.kind === 'installed' && graphicx.version) || '', /^\d{4}-\d\d-\d\d/)
})

test('findPackage suggests similar names for an unknown one', async () => {
  const answer = await tex.findPackage('grahpicx')
  assert.deepEqual(answer, { kind: 'missing', installCommand: null, similar: ['graphicx'] })
})

test('findPackage starts no program for an invalid name', async () => {
  const names = ['', '-h', '../article', 'a b', 'x'.repeat(200), 'article.tex/', '--all', 'a\nb', 'a"b']
  assert.deepEqual([...new Set((await Promise.all(names.map(tex.findPackage))).map(({ kind }) => kind))], ['no-name'])
})
