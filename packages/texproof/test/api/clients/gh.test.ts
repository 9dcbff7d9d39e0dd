import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { missingProgram, openTourHost } from '../../support/client-tour.ts'
import type { Tour, TourHost } from '../../support/client-tour.ts'
import { runProgram } from '../../support/programs/run-program.ts'

const skip = (await missingProgram('gh', ['--version'])) || (await missingProgram('openssl', ['version']))

test('gh api completes the tour over TLS', { skip }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-gh-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const tour = await openTourHost({ tls: await makeCertificate(folder) })
  context.after(() => tour.host.close())
  assert.deepEqual(await makeTour(tour, folder), tour.expected('by-gh'))

  // According to the compatibility matrix these do not work: they need the root document and GraphQL.
  const others = await Promise.all([
    runProgram('gh', ['auth', 'status'], { env: ghEnvironment(tour.env, tour.env['TOKEN'], folder) }),
    runProgram('gh', ['repo', 'list', 'alice'], { env: ghEnvironment(tour.env, tour.env['TOKEN'], folder) }),
  ])
  assert.deepEqual(
    others.map(({ exitCode }) => exitCode),
    [1, 1],
  )
})

function ghEnvironment(env: TourHost['env'], token: string | undefined, folder: string) {
  return {
    GH_HOST: new URL(env['BASE'] ?? '').host,
    GH_ENTERPRISE_TOKEN: token ?? '',
    GH_CONFIG_DIR: join(folder, 'config'),
    GH_NO_UPDATE_NOTIFIER: '1',
    SSL_CERT_FILE: join(folder, 'cert.pem'),
  }
}

async function makeCertificate(folder: string): Promise<{ key: string; cert: string }> {
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  const newKey = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await runProgram('openssl', ['req', ...newKey, ...subject, '-keyout', files.key, '-out', files.cert])
  return { key: await readFile(files.key, 'utf8'), cert: await readFile(files.cert, 'utf8') }
}

async function makeTour({ env }: TourHost, folder: string): Promise<Tour> {
  const gh = async (token: string | undefined, ...args: string[]) =>
    runProgram('gh', ['api', ...args], { env: ghEnvironment(env, token, folder) })
  /** The results of a jq expression over all pages. */
  const ask = async (path: string, expression: string, ...args: string[]) => {
    const { exitCode, stdout, stderr } = await gh(env['TOKEN'], path, '--jq', expression, ...args)
    if (exitCode !== 0) throw new Error(stderr)
    return stdout.trimEnd().split('\n')
  }
  const one = async (path: string, expression: string, ...args: string[]) =>
    (await ask(path, expression, ...args)).join('\n')
  const status = async (token: string | undefined, ...args: string[]) =>
    Number(/HTTP (\d+)/.exec((await gh(token, ...args)).stderr)?.[1])

  return {
    login: await one('user', '.login'),
    profile: await one('users/bob', '.login'),
    ownCount: (await ask('user/repos', '.[].name', '--paginate')).length,
    publicCount: (await ask('users/alice/repos', '.[].name', '--paginate')).length,
    repository: await one('repos/alice/tides', '.full_name'),
    mayPush: (await one('repos/alice/tides', '.permissions.push')) === 'true',
    branches: ends(await ask('repos/alice/tides/branches', '.[].name', '--paginate')),
    tags: ends(await ask('repos/alice/tides/tags', '.[].name', '--paginate')),
    branch: [
      await one('repos/alice/tides/branches/feature/a', '.name'),
      await one('repos/alice/tides/branches/feature%2Fa', '.commit.sha'),
    ],
    created: await one('user/repos', '.full_name', '-f', 'name=by-gh', '-F', 'auto_init=true'),
    errors: [
      await status('pst_bad', 'user'),
      await status(env['READ_TOKEN'], 'user/repos', '-f', 'name=x'),
      await status(env['TOKEN'], 'repos/bob/hidden'),
      await status(env['TOKEN'], 'users/nobody'),
      await status(env['TOKEN'], 'user/repos', '-f', 'name=not a name'),
    ],
  }
}

function ends(names: readonly string[]): readonly [string, string, number] {
  return [names[0] ?? '', names.at(-1) ?? '', names.length]
}
