import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openToolMemory } from './tool-memory.ts'
import type { ToolPlan } from './types.ts'

function plan(inputDigest: string): ToolPlan {
  const files = { outputs: ['main.bbl'], reads: [], prepared: new Map() }
  return { tool: 'biber', subject: 'main.bcf', args: [], transcript: 'main.blg', inputDigest, ...files }
}

test('a tool is due until it ran on the same input', () => {
  const memory = openToolMemory(undefined)
  assert.equal(memory.isDue(plan('a')), true)
  memory.remember(plan('a'), { isClean: false })
  assert.deepEqual([memory.isDue(plan('a')), memory.isDue(plan('b'))], [false, true])
})

test('the next compile remembers a run without diagnostics', () => {
  const memory = openToolMemory(undefined)
  memory.remember(plan('a'), { isClean: true })
  assert.equal(openToolMemory(memory.toBytes()).isDue(plan('a')), false)
})

test('the next compile repeats a run with diagnostics', () => {
  const memory = openToolMemory(undefined)
  memory.remember(plan('a'), { isClean: true })
  memory.remember(plan('b'), { isClean: false })
  assert.equal(openToolMemory(memory.toBytes()).isDue(plan('b')), true)
})

test('a tool whose output came with the project is due once in each compile', () => {
  const earlier = openToolMemory(undefined)
  earlier.remember(plan('a'), { isClean: true })
  const memory = openToolMemory(earlier.toBytes(), { given: new Set(['main.bbl']), kept: new Set(['main.bbl']) })
  assert.equal(memory.isDue(plan('a')), true)
  memory.remember(plan('a'), { isClean: true })
  assert.equal(memory.isDue(plan('a')), false)
})

test('a tool whose output was not kept is due once', () => {
  const earlier = openToolMemory(undefined)
  earlier.remember(plan('a'), { isClean: true })
  const memory = openToolMemory(earlier.toBytes(), { given: new Set(), kept: new Set(['main.aux']) })
  assert.equal(memory.isDue(plan('a')), true)
  memory.remember(plan('a'), { isClean: true })
  assert.equal(memory.isDue(plan('a')), false)
})

test('openToolMemory accepts any bytes as its stored state', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => openToolMemory(bytes).isDue(plan('a'))))
})
