import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

/** What `requireOpenFiles()` says in a process with this limit of open files. */
function requireWithLimit(limit: string): unknown {
  const check = `
    import { execFileSync } from 'node:child_process'
    import { requireOpenFiles } from '${import.meta.resolve('./require-open-files.ts')}'
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=${limit}:'])
    const outcome = await requireOpenFiles().catch(({ message, remedy }) => ({ message, remedy }))
    console.log(JSON.stringify(outcome))`
  const args = [...process.execArgv, '--input-type=module', '--eval', check]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

test('requireOpenFiles() refuses a limit that is too low for a server and says how to raise it', () => {
  assert.deepEqual(requireWithLimit('60'), {
    message: 'the limit of open files is 60, and a server requires at least 256',
    remedy: 'Raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in the systemd unit.',
  })
})

test('requireOpenFiles() returns the smallest common limit', () => {
  assert.equal(requireWithLimit('256'), 256)
})
