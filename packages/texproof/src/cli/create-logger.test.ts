import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
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

test('createLogger() hides access tokens and worker keys in a path or a message', () => {
  const secret = 'a1B2'.repeat(9)
  assert.deepEqual(
    logged((log) => log.info({ path: `/alice/pst_${secret}@host/` }, `psw_${secret} refused`)),
    { level: 'info', path: '/alice/pst_…@host/', msg: 'psw_… refused' },
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

test('createLogger() adds the message of a cause only if the error does not contain it', () => {
  const cause = new Error('connect ECONNREFUSED')
  const messages = ['no database: connect ECONNREFUSED', 'no database'].map((message) => {
    const { err } = logged((log) => log.error({ err: new Error(message, { cause }) }, 'look'))
    return (err as { message: string }).message
  })
  assert.deepEqual(messages, ['no database: connect ECONNREFUSED', 'no database: connect ECONNREFUSED'])
})

/** Messages and counts of what a process has logged to a pipe that is read only after a while. */
async function loggedToSlowReader(statements: string): Promise<readonly unknown[]> {
  const script = `
    import { createLogger } from ${JSON.stringify(import.meta.resolve('./create-logger.ts'))}
    process.stderr.on('error', () => {})
    const log = createLogger({ level: 'info', format: 'json' })
    ${statements}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await once(child.stdout, 'data')
  const lines = (await text(child.stderr)).trimEnd().split('\n')
  return lines.map((line) => {
    const { count, msg } = JSON.parse(line) as { readonly count?: number; readonly msg: string }
    return count === undefined ? msg.length : [msg, count]
  })
}

test('createLogger() writes the last lines of a process that exits while nothing reads them', async () => {
  const lengths = await loggedToSlowReader(`
    for (let count = 0; count < 5; count += 1) log.info('x'.repeat(60_000))
    setTimeout(() => {
      process.stdout.write('exits')
      process.exit()
    }, 200)`)
  assert.deepEqual(lengths, [60_000, 60_000, 60_000, 60_000, 60_000])
})

test('createLogger() loses lines, and says how many, before they fill the memory', async () => {
  const lengths = await loggedToSlowReader(`
    for (let count = 0; count < 9; count += 1) log.info('x'.repeat(3_000_000))
    setTimeout(() => process.stdout.write('waits'), 100)`)
  const lost = 'log lines were lost, because standard error was not read'
  assert.deepEqual(lengths, [3_000_000, 3_000_000, 3_000_000, 3_000_000, 3_000_000, [lost, 4]])
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
