import assert from 'node:assert/strict'
import { test } from 'node:test'

import { RENDER_MARKDOWN } from '../web/content/markdown/markdown-file.ts'
import { openParsers } from './open-parsers.ts'
import { defineTask } from './thread-task.ts'

const place = { folder: '', blobPrefix: '/blob/', rawPrefix: '/raw/' }

test('openParsers() returns a separate result for every text', async (t) => {
  const parsers = openParsers()
  t.after(() => parsers.close())
  const outcomes = await Promise.all(
    ['one', 'two', 'three'].map((source) => parsers.run(RENDER_MARKDOWN, { source, place }, { ownerId: 'alice' })),
  )
  assert.deepEqual(
    outcomes,
    ['one', 'two', 'three'].map((text) => ({ kind: 'done', value: `<p>${text}</p>\n` })),
  )
})

test('openParsers() stops parsing a text that takes too long, and continues with the next', async (t) => {
  const parsers = openParsers({ threads: 1 })
  t.after(() => parsers.close())
  const run = (source: string, timeLimitMs: number) =>
    parsers.run(RENDER_MARKDOWN, { source, place }, { ownerId: 'alice', timeLimitMs })
  const outcomes = await Promise.all([run('<b>'.repeat(400_000), 500), run('next', 60_000)])
  assert.deepEqual(outcomes, [{ kind: 'timed-out' }, { kind: 'done', value: '<p>next</p>\n' }])
})

test('openParsers() names the function that a module lacks', async (t) => {
  const parsers = openParsers()
  t.after(() => parsers.close())
  const task = defineTask<() => string>(import.meta.resolve('./thread-task.ts'), 'absent')
  const outcome = await parsers.run(task, undefined, { ownerId: 'alice' })
  assert.match(outcome.kind === 'failed' ? outcome.error.message : '', /thread-task\.ts exports no "absent"$/)
})
