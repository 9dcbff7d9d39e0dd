import assert from 'node:assert/strict'
import { test } from 'node:test'

import { initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { findWordCount } from './word-count.ts'

const paper = '\\documentclass{article}\n\\begin{document}\nTwo words.\n\\end{document}\n'
const figures = Object.fromEntries(Array.from({ length: 401 }, (_, n) => [`figure${n}.tikz`, '% Figure\n']))

const long = `${paper}${'%\n'.repeat(512 * 1024)}`

const cases = [
  { title: 'counts a document whose name has another extension', files: { 'paper.latex': paper }, found: 2 },
  {
    title: 'counts no document with too many sources',
    files: { ...figures, 'paper.latex': paper },
    found: 'unreadable',
  },
  { title: 'counts no document over 1 MB', files: { 'paper.latex': long }, found: 'unreadable' },
  {
    title: 'counts no document that is not UTF-8',
    files: { 'paper.latex': paper.replace('Two', 'Zwölf') },
    found: 'unreadable',
  },
] as const

for (const { title, files, found } of cases)
  test(`findWordCount() ${title}`, async (t) => {
    const parsers = openParsers()
    t.after(() => parsers.close())
    const { store: git } = await openTestStore(t)
    const bytes = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'latin1')]))
    await git.createRepository(1, { defaultBranch: 'main', initialCommit: { ...initialCommit({}), files: bytes } })
    const commitId = (await git.findBranch(1, 'main'))?.commitId ?? ''
    const of = { repositoryId: 1, ownerId: '1', commitId, rootFile: 'paper.latex', drafts: new Map<string, string>() }
    const count = await findWordCount({ git, parsers }, of)
    assert.equal(count === 'unreadable' ? count : count?.total.text, found)
  })
