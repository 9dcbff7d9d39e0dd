import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlatexError } from '../base/errors.ts'
import { findWorkerScript } from './find-worker-script.ts'

test('findWorkerScript finds a script beside a module, with its ending', () => {
  assert.equal(findWorkerScript('serve-tasks', import.meta.url).href, new URL('./serve-tasks.ts', import.meta.url).href)
})

test('findWorkerScript explains how to fix a bundle', () => {
  const isMissing = (error: unknown) =>
    error instanceof PlatexError && error.code === 'WORKER_MISSING' && error.message.includes('as external')
  assert.throws(() => findWorkerScript('serve-tasks', 'file:///app/bundle.js'), isMissing)
})
