import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectsAnotherPass } from './run-passes.ts'

function expectsFor(text: string): boolean {
  const files = new Map([['main.tex', Buffer.from(text)]])
  return expectsAnotherPass({ passes: 'auto', rootFile: 'main.tex', files }, 'main.aux')
}

test('a document with references needs a second pass, unless they are in comments', () => {
  const sources = ['See \\cite{a}.', '% \\cite{a}', '50\\% of \\label{a}', '% old\r\\tableofcontents\r']
  assert.deepEqual(sources.map(expectsFor), [true, false, false, true])
})

test('a document of a million carriage returns is searched in linear time', () => {
  assert.equal(expectsFor('\r'.repeat(1_000_000)), false)
})
