import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fontMapOf, lacksFonts } from './font-map.ts'

const sandbox = {
  shortFontMap: {
    omittedFolders: new Set(['/tree/fonts/tfm/google/roboto', '/tree/fonts/tfm/public/libertinus-type1']),
    usablePictures: new Set(['/tree/tex/latex/beamer/icon.pdf']),
    packages: new Set(['gentium']),
  },
}

function mapFor(text: string, others: readonly string[] = []): string {
  const files = new Map([['main.tex', Buffer.from(text)], ...others.map((path) => [path, Buffer.from('')] as const)])
  return fontMapOf({ files, sandbox })
}

test('a document gets the short font map unless it loads a package of a font that the map omits', () => {
  const sources = [
    String.raw`\usepackage{lmodern,microtype}We use roboto.`,
    String.raw`\usepackage{lmodern, roboto}`,
    String.raw`\usepackage[sfdefault]{Roboto-Mono}`,
    String.raw`\RequirePackage {libertinus}`,
    String.raw`\usepackage{gentium}`,
    String.raw`\usepackage[english, main=greek]{babel}`,
    String.raw`\documentclass[greek]{article}\usepackage{babel}`,
    String.raw`\usepackage{babel}\section{greek}`,
    String.raw`\pdfmapline{+x X <x.pfb}`,
  ]
  assert.deepEqual(
    sources.map((source) => mapFor(source)),
    ['short', 'whole', 'whole', 'whole', 'whole', 'whole', 'whole', 'short', 'whole'],
  )
})

test('a document with fonts or pictures of its own gets the whole font map', () => {
  const names = ['notes.txt', 'photo.png', 'own.tfm', 'own.map', 'plot.pdf', 'plot.EPS']
  assert.deepEqual(
    names.map((name) => mapFor('', [name])),
    ['short', 'short', 'whole', 'whole', 'whole', 'whole'],
  )
})

test('without a short font map every document gets the whole one', () => {
  assert.equal(fontMapOf({ files: new Map(), sandbox: { shortFontMap: null } }), 'whole')
})

test('the search for packages takes linear time, whatever the sources contain', () => {
  const sources = [
    '\\usepackage['.repeat(160_000),
    `\\usepackage${' '.repeat(2_000_000)}`,
    `\\usepackage{${'a'.repeat(2_000_000)}}`,
    `${'\\usepackage['.repeat(160_000)}]{roboto}`,
  ]
  assert.deepEqual(
    sources.map((source) => mapFor(source)),
    ['short', 'short', 'short', 'whole'],
  )
})

test('a picture of the installation needs the whole font map unless it has no text', () => {
  const pictures = ['/tree/tex/latex/beamer/icon.pdf', '/tree/tex/latex/mwe/example.pdf', 'icon.pdf']
  const answers = pictures.map((picture) =>
    lacksFonts({ files: new Map([['main.tex', Buffer.from('')]]), sandbox }, { program: 'pdflatex' }, [picture]),
  )
  assert.deepEqual(answers, [false, true, false])
})
