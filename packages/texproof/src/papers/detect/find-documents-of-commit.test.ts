import assert from 'node:assert/strict'
import { test } from 'node:test'

import { withoutBuilds } from '../../../test/support/hosts/test-config.ts'
import { openPaperHost } from '../../../test/support/hosts/paper-host.ts'
import { findDocumentsOfCommit } from './find-documents-of-commit.ts'
import type { FoundDocuments } from './types.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'

async function findIn(files: Readonly<Record<string, string | Uint8Array>>): Promise<FoundDocuments> {
  const host = await openPaperHost(withoutBuilds)
  try {
    const { user, token } = await host.addUser('alice')
    const repository = await host.addRepository(user, 'tides')
    const checkout = await host.makeCheckout(host.gitUrl('alice/tides', token), files)
    await checkout.git('push', '--quiet', 'origin', 'main')
    const head = await host.deps.git.findBranch(repository.id, 'main')
    return await findDocumentsOfCommit(host.deps, repository, head?.commitId ?? '')
  } finally {
    await host.close()
  }
}

/** Files on which an unbounded pattern would read every character thousands of times. */
const costly: Readonly<Record<string, string>> = {
  latexmkrc: `$pdflatex = "${'x'.repeat(400_000)}`,
  'a/latexmkrc': '@default_files = qw('.repeat(20_000),
  'a.tex': '\\usepackage['.repeat(30_000),
  'b.tex': '\\title['.repeat(50_000),
}

test('findDocumentsOfCommit() finds the document among files that are designed to be slow to parse', async () => {
  const found = await findIn({ ...costly, 'main.tex': ARTICLE })
  assert.deepEqual(found.kind === 'found' && found.documents.map(({ rootFile }) => rootFile), ['main.tex'])
})

test('findDocumentsOfCommit() finds a book in one file, with the bibliography at its end', async () => {
  const text = 'The tide rises and falls twice a day.\n'.repeat(25_000)
  const book = `\\documentclass{book}\n\\begin{document}\n${text}\\bibliography{refs}\n\\end{document}\n`
  const found = await findIn({ 'main.tex': book, 'refs.bib': '' })
  assert.deepEqual(
    found.kind === 'found' && found.documents.map(({ rootFile, bibliography }) => [rootFile, bibliography]),
    [['main.tex', 'bibtex']],
  )
})

test('findDocumentsOfCommit() finds documents in UTF-16, as saved by Notepad', async () => {
  const little = Buffer.from(`\uFEFF${ARTICLE}`, 'utf16le')
  const big = Buffer.from(little).swap16()
  const found = await findIn({ 'a.tex': little, 'b.tex': big })
  assert.deepEqual(found.kind === 'found' && found.documents.map(({ rootFile }) => rootFile), ['a.tex', 'b.tex'])
})

test('findDocumentsOfCommit() finds nothing in a tree without LaTeX', async () => {
  assert.deepEqual(await findIn({ 'README.md': '# Code' }), { kind: 'none', near: null })
})

test('findDocumentsOfCommit() names a package in a tree without other sources', async () => {
  assert.deepEqual(await findIn({ 'tides.dtx': '% \\iffalse' }), {
    kind: 'none',
    near: { kind: 'dtx', path: 'tides.dtx' },
  })
})
