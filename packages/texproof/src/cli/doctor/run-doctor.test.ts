import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer } from 'node:tls'

import { missingProgram } from '../../../test/support/client-tour.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { runProgram } from '../../../test/support/programs/run-program.ts'
import { runTexproof } from '../../../test/support/programs/run-texproof.ts'
import type { Finding } from './finding.ts'

const skip = await missingProgram('openssl', ['version'])

test('doctor says how to trust the certificate authority of a mail server', { skip }, async (t) => {
  const folder = makeFolder(t)
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const newKey = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  await runProgram('openssl', ['req', ...newKey, ...subject, '-keyout', files.key, '-out', files.cert])
  const server = createServer({ key: readFileSync(files.key), cert: readFileSync(files.cert) })
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const { stdout } = await runTexproof(['doctor', '--json', '--data', join(folder, 'data')], {
    env: { TEXPROOF_SMTP_URL: `smtps://localhost:${port}`, TEXPROOF_SMTP_FROM: 'papers@uni.example' },
  })

  const findings = JSON.parse(stdout) as readonly Finding[]
  assert.deepEqual(
    findings.filter(({ check }) => check === 'mail'),
    [
      {
        check: 'mail',
        state: 'broken',
        message: `cannot connect to mail server localhost:${port}: self-signed certificate`,
        remedy: 'Set NODE_EXTRA_CA_CERTS to the certificate file of its authority, for the server too.',
      },
    ],
  )
})
