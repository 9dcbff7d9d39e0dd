import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { findRecursion } from './find-recursion.ts'

function nameIn(text: string): string | null {
  return findRecursion(['main.tex'], () => text)?.name ?? null
}

describe('findRecursion', () => {
  it('finds the place of a command that uses itself', () => {
    const text = 'Text.\n\\renewcommand{\\vec}[1]{\\mathbf{\\vec{#1}}}\n'
    assert.deepEqual(
      findRecursion(['main.tex'], () => text),
      { file: 'main.tex', line: 2, name: '\\vec' },
    )
  })

  it('finds commands and environments that use themselves, even if a line has only a part of the definition', () => {
    assert.deepEqual(
      [
        String.raw`\def\speed{\speed_1}`,
        String.raw`\NewDocumentCommand{\term}{m}{\emph{\term{#1}}}`,
        String.raw`\newcommand\deep[1]{\emph{\deep`,
        String.raw`\newcommand{\twice}[1]{#1\twice{#1}}`,
        String.raw`\renewenvironment{quote}{\begin{quote}\itshape}{\end{quote}}`,
      ].map(nameIn),
      ['\\speed', '\\term', '\\deep', '\\twice', 'quote'],
    )
  })

  it('finds a command that is named like one that ends a repetition', () => {
    assert.equal(nameIn(String.raw`\newcommand{\loopy}{\loopy x}`), '\\loopy')
  })

  it('does not take part of a longer name for the command', () => {
    assert.deepEqual(
      [
        String.raw`\def\foo{\foo@star}`,
        String.raw`\def\foo@x{\foo}`,
        String.raw`\NewDocumentCommand{\foo}{m}{\foo_bar:n {#1}}`,
      ].map(nameIn),
      [null, null, null],
    )
  })

  it('does not take a name that is not run for a use', () => {
    assert.deepEqual(
      [
        String.raw`\def\and{\noexpand\and}`,
        String.raw`\def\and{\string\and}`,
        String.raw`\def\and{\protect\and}`,
        String.raw`\def\small{\@setfontsize\small{9}{11}}`,
        String.raw`\edef\all{\all, x}`,
      ].map(nameIn),
      [null, null, null, null, null],
    )
  })

  it('does not take a use after the definition for one inside it', () => {
    assert.equal(nameIn(String.raw`\def\name{Alice}\name`), null)
  })

  it('finds no recursion in the classes of TeX', () => {
    const names = ['article', 'amsart', 'acmart', 'beamer', 'IEEEtran', 'memoir', 'moderncv', 'revtex4-2', 'scrartcl']
    // kpsewhich fails if one of them is not installed, and prints the others.
    const paths = execFileSync('sh', ['-c', 'kpsewhich "$@" || true', 'sh', ...names.map((name) => `${name}.cls`)], {
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
    assert.ok(paths.length > 3)
    assert.equal(
      findRecursion(paths, (path) => readFileSync(path, 'latin1')),
      null,
    )
  })
})
