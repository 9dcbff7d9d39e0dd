import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findUnportableNames } from './find-unportable-names.ts'

function explain(...paths: readonly string[]): readonly string[] {
  return findUnportableNames(paths).map(({ path, reason }) => `${path}: ${reason}`)
}

test('findUnportableNames() finds names of files and folders that differ only in case', () => {
  assert.deepEqual(explain('Main.tex', 'main.tex', 'Figs/a.pdf', 'figs/b.pdf', 'figs/c.pdf', 'É.tex', 'é.tex'), [
    'main.tex: Windows and macOS do not distinguish it from "Main.tex"',
    'figs: Windows and macOS do not distinguish it from "Figs"',
    'é.tex: Windows and macOS do not distinguish it from "É.tex"',
  ])
})

test('findUnportableNames() finds the names and characters that Windows does not allow', () => {
  assert.deepEqual(explain('aux.tex', 'a/NUL', 'com1/x.tex', 'a:b.tex', 'what?.tex', 'etc./x.tex'), [
    'aux.tex: Windows reserves this name',
    'a/NUL: Windows reserves this name',
    'com1: Windows reserves this name',
    'a:b.tex: Windows does not allow : in a name',
    'what?.tex: Windows does not allow ? in a name',
    'etc.: Windows does not allow a dot at the end of a name',
  ])
})

test('findUnportableNames() accepts ordinary names', () => {
  assert.deepEqual(
    explain('main.tex', 'auxiliary.tex', 'figs/a b.pdf', 'console.tex', '論文/本文.tex', '.latexmkrc'),
    [],
  )
})
