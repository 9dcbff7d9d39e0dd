import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { runTestGit } from '../programs/run-program.ts'

const COMMIT = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org', 'commit', '--quiet', '--allow-empty']
const LAST_BYTES = 8

/**
 * Begins a push of a new commit to a new branch, without the last bytes. The result sends them and resolves to the report of
 * the server.
 */
export async function beginSlowPush(
  remote: string,
  { token, branch }: { readonly token: string; readonly branch: string },
): Promise<() => Promise<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-slow-push-'))
  const body = await encodePush(folder, branch).finally(() => rmSync(folder, { recursive: true }))
  const push = request(`${remote}/git-receive-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      'content-length': body.length,
      authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
    },
  })
  push.write(body.subarray(0, -LAST_BYTES))
  return async () => {
    push.end(body.subarray(-LAST_BYTES))
    const [response] = (await once(push, 'response')) as [NodeJS.ReadableStream]
    return text(response)
  }
}

async function encodePush(folder: string, branch: string): Promise<Buffer> {
  await runTestGit(folder, ['init', '--quiet', '--initial-branch=main'])
  await runTestGit(folder, [...COMMIT, '--message=Begin'])
  const head = await runTestGit(folder, ['rev-parse', 'main'])
  await runTestGit(folder, ['bundle', 'create', '--quiet', 'all.bundle', 'main'])
  const bundle = readFileSync(join(folder, 'all.bundle'))
  const command = `${'0'.repeat(40)} ${head} refs/heads/${branch}\0report-status`
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`
  return Buffer.concat([Buffer.from(line), bundle.subarray(bundle.indexOf('PACK'))])
}
