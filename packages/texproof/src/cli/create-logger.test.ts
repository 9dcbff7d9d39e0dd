import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { createLogger } from './create-logger.ts'

/** Output of a log without the time. */
function logged(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = []
  write(createLogger({ level: 'info', format: 'json' }, { write: (line) => void lines.push(line) }))
  const { ts, ...event } = JSON.parse(lines.join('')) as Record<string, unknown>
  assert.match(String(ts), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  return event
}

test('createLogger() writes level, fields and message', () => {
  assert.deepEqual(
    logged((log) => log.info({ status: 200, path: '/alice' }, 'answered')),
    { level: 'info', status: 200, path: '/alice', msg: 'answered' },
  )
})

test('createLogger() hides secrets in events and in their objects', () => {
  assert.deepEqual(
    logged((log) => log.warn({ token: 'a', user: 'alice', request: { cookie: 'b', headers: { x: 'c' }, path: '/' } })),
    {
      level: 'warn',
      token: '[Redacted]',
      user: 'alice',
      request: { cookie: '[Redacted]', headers: '[Redacted]', path: '/' },
    },
  )
})

test('createLogger() hides secrets in an error and keeps its message', () => {
  const error = Object.assign(new Error('not sent'), { authorization: 'a', status: 502 })
  const { err } = logged((log) => log.error({ err: error }, 'mail')) as { err: Record<string, unknown> }
  assert.deepEqual(
    [err['message'], err['authorization'], err['status'], error.authorization],
    ['not sent', '[Redacted]', 502, 'a'],
  )
})

test('createLogger() writes the last lines of a process that exits', async () => {
  const script = `
    import { createLogger } from ${JSON.stringify(import.meta.resolve('./create-logger.ts'))}
    const log = createLogger({ level: 'info', format: 'json' })
    log.info('first')
    setImmediate(() => {
      log.info('second')
      log.info('third')
      process.exit()
    })`
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const messages = stderr
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
  assert.deepEqual(messages, ['first', 'second', 'third'])
})
