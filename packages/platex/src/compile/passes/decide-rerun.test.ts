import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideRerun, explainChange, type PassRecord } from './decide-rerun.ts'
import type { State } from './state.ts'

const state = (files: Record<string, string>): State => new Map(Object.entries(files))

function step(
  before: Record<string, string>,
  after: Record<string, string>,
  more: Partial<PassRecord> = {},
): PassRecord {
  return {
    before: state(before),
    after: state(after),
    read: new Set(['main.aux', 'main.toc']),
    writeOnly: new Set(),
    isTrivial: false,
    isDraft: false,
    rerunPhrase: null,
    hasNewToolOutput: false,
    ...more,
  }
}

/** Steps through states of `main.aux`: each pass begins with the state that the pass before left. */
function stepsThrough(first: string, ...others: string[]): readonly [readonly PassRecord[], PassRecord] {
  const all = others.map((after, index) => step({ 'main.aux': [first, ...others][index] ?? '' }, { 'main.aux': after }))
  return [all.slice(0, -1), all.at(-1) ?? step({}, {})]
}

test('decideRerun converges if a pass changes nothing', () => {
  assert.deepEqual(decideRerun(...stepsThrough('a', 'a')), { kind: 'converged' })
})

test('decideRerun continues after a change, and names the file', () => {
  assert.deepEqual(decideRerun(...stepsThrough('a', 'b')), { kind: 'rerun', reason: 'main.aux changed' })
})

test('decideRerun stops after one pass of a trivial document', () => {
  assert.deepEqual(decideRerun([], step({}, { 'main.aux': 'x' }, { isTrivial: true })), { kind: 'converged' })
})

test('decideRerun never ends with a draft', () => {
  const draft = step({ 'main.aux': 'a' }, { 'main.aux': 'a' }, { isDraft: true })
  assert.deepEqual(decideRerun([], draft), { kind: 'rerun', reason: 'the pass was a draft' })
})

test('decideRerun repeats once for a new file', () => {
  const first = step({}, { 'main.out': 'x' }, { read: new Set() })
  assert.deepEqual(decideRerun([], first), { kind: 'rerun', reason: 'main.out is new' })
})

test('decideRerun ignores an existing file that was not read', () => {
  const second = step({ 'main.out': 'x' }, { 'main.out': 'y' }, { read: new Set() })
  assert.deepEqual(decideRerun([], second), { kind: 'converged' })
})

test('decideRerun remembers what an earlier pass read', () => {
  const first = step({ 'main.out': 'x' }, { 'main.out': 'x' }, { read: new Set(['main.out']) })
  const second = step({ 'main.out': 'x' }, { 'main.out': 'y' }, { read: new Set() })
  assert.deepEqual(decideRerun([first], second), { kind: 'rerun', reason: 'main.out changed' })
})

test('decideRerun ignores a new file that only tools read', () => {
  const first = step({}, { 'main.bcf': 'x' }, { read: new Set(), writeOnly: new Set(['main.bcf']) })
  assert.deepEqual(decideRerun([], first), { kind: 'converged' })
})

test('decideRerun repeats once for a request in the log if no file changed', () => {
  const asks = { rerunPhrase: 'Rerun to get' }
  const same = step({ 'main.aux': 'a' }, { 'main.aux': 'a' }, asks)
  assert.deepEqual(decideRerun([], same), { kind: 'rerun', reason: 'the log says "Rerun to get"' })
  assert.deepEqual(decideRerun([same], same), { kind: 'converged' })
})

test('decideRerun finds a cycle of two as soon as a state repeats', () => {
  assert.deepEqual(decideRerun(...stepsThrough('', 'a', 'b', 'a')), { kind: 'cycle', length: 2, files: ['main.aux'] })
})

test('decideRerun finds a cycle of three', () => {
  const decision = decideRerun(...stepsThrough('', 'a', 'b', 'c', 'a'))
  assert.deepEqual(decision, { kind: 'cycle', length: 3, files: ['main.aux'] })
})

test('decideRerun stops after five passes that each change something', () => {
  assert.deepEqual(decideRerun(...stepsThrough('', '1', '2', '3', '4', '5')), {
    kind: 'exhausted',
    files: ['main.aux'],
  })
})

test('decideRerun counts its five passes from the last tool that changed something', () => {
  const [earlier, last] = stepsThrough('', '1', '2', '3', '4', '5')
  const withTool = earlier.map((one, index) => (index === 2 ? { ...one, hasNewToolOutput: true } : one))
  assert.deepEqual(decideRerun(withTool, last), { kind: 'rerun', reason: 'main.aux changed' })
})

test('decideRerun stops every sequence of states after eight passes', () => {
  const sequence = fc.array(fc.record({ digest: fc.nat(3), hasNewToolOutput: fc.boolean() }), {
    minLength: 9,
    maxLength: 12,
  })
  fc.assert(
    fc.property(sequence, (passes) => {
      const steps: PassRecord[] = []
      for (const { digest, hasNewToolOutput } of passes) {
        const before = Object.fromEntries(steps.at(-1)?.after ?? [])
        const next = step(before, { 'main.aux': String(digest) }, { hasNewToolOutput })
        const decision = decideRerun(steps, next)
        steps.push(next)
        if (decision.kind !== 'rerun') break
      }
      assert.ok(steps.length <= 8)
    }),
  )
})

test('explainChange names two files and counts the others', () => {
  const change = { before: state({ a: '1' }), after: state({ a: '2' }) }
  assert.equal(explainChange(['a'], change), 'a changed')
  assert.equal(explainChange(['b'], change), 'b is new')
  assert.equal(explainChange(['a', 'b'], change), 'a and b changed')
  assert.equal(explainChange(['a', 'b', 'c', 'd'], change), 'a, b and 2 more changed')
})
