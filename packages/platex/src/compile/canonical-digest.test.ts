import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalAux, canonicalBcf } from './canonical-digest.ts'

const NO_LISTS = new Set<string>()

test('canonicalAux drops entries of a list that no pass opened', () => {
  const aux = '\\relax \n\\@writefile{toc}{\\contentsline {section}{One}{1}{}}\n\\newlabel{a}{{1}{1}}\n'
  assert.equal(canonicalAux(aux, NO_LISTS), '\\newlabel{a}{{1}{1}}')
})

test('canonicalAux keeps entries of an opened list', () => {
  const entry = '\\@writefile{toc}{\\contentsline {section}{One}{1}{}}'
  assert.equal(canonicalAux(`${entry}\n`, new Set(['toc'])), entry)
})

test('canonicalAux keeps an entry that continues on the next line', () => {
  const aux = '\\@writefile{toc}{\\contentsline {x}\n{1}}'
  assert.equal(canonicalAux(aux, NO_LISTS), aux)
})

test('canonicalAux does not count escaped braces', () => {
  assert.equal(canonicalAux('\\@writefile{toc}{a \\{ b}', NO_LISTS), '')
})

test('canonicalAux returns the same for an aux file and for its canonical form', () => {
  const line = fc.constantFrom(
    '\\relax ',
    '',
    '\\@writefile{toc}{x}',
    '\\@writefile{lof}{{',
    '\\newlabel{a}{{1}{1}}',
    'other',
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const once = canonicalAux(lines.join('\n'), new Set(['lof']))
      assert.equal(canonicalAux(once, new Set(['lof'])), once)
    }),
  )
})

const citekey = (order: number, key: string, more = '') =>
  `    <bcf:citekey order="${order}" intorder="1"${more}>${key}</bcf:citekey>`

test('canonicalBcf counts a citation once, however often and wherever it is repeated', () => {
  const once = ['<bcf:section number="0">', citekey(1, 'a'), citekey(2, 'b'), '</bcf:section>']
  const twice = ['<bcf:section number="0">', citekey(1, 'a'), citekey(2, 'b'), citekey(3, 'a'), '</bcf:section>']
  assert.equal(canonicalBcf(twice.join('\n')), canonicalBcf(once.join('\n')))
})

test('canonicalBcf keeps the order of first citations', () => {
  assert.notEqual(
    canonicalBcf([citekey(1, 'a'), citekey(2, 'b')].join('\n')),
    canonicalBcf([citekey(1, 'b'), citekey(2, 'a')].join('\n')),
  )
})

test('canonicalBcf distinguishes the same key in different sections', () => {
  const lines = ['<bcf:section number="0">', citekey(1, 'a'), '<bcf:section number="1">', citekey(1, 'a')]
  assert.equal(canonicalBcf(lines.join('\n')).split('<bcf:citekey').length - 1, 2)
})

test('canonicalBcf distinguishes a nocite from a citation', () => {
  const lines = [citekey(1, 'a', ' nocite="1"'), citekey(2, 'a')]
  assert.equal(canonicalBcf(lines.join('\n')).split('<bcf:citekey').length - 1, 2)
})

test('canonicalBcf drops comments', () => {
  assert.equal(canonicalBcf('a<!-- SECTION\n 0 -->b'), 'ab')
})

test('canonicalBcf drops comments, and takes linear time for those that have no end', () => {
  const unclosed = '<!--'.repeat(300_000)
  assert.equal(canonicalBcf(`a<!-- b\n -->c${unclosed}`), `ac${unclosed}`)
})
