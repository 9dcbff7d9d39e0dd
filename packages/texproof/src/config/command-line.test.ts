import assert from 'node:assert/strict'
import { it } from 'node:test'

import { commandFor, serveCommand } from './command-line.ts'

const program = new URL('../../bin/texproof', import.meta.url).pathname

it('commandFor() names the program of this installation and quotes the data directory', () => {
  assert.deepEqual(
    [commandFor('/var/lib/texproof', 'user list'), commandFor("/data/alice's papers", 'doctor')],
    [`${program} user list --data /var/lib/texproof`, `${program} doctor --data '/data/alice'\\''s papers'`],
  )
})

it('serveCommand() repeats the flags of the running server, except one that a variable replaces', () => {
  const description = ''
  const origins = [
    { key: 'data_dir', value: '/data', source: 'flag', description },
    { key: 'listen', value: '0.0.0.0:80', source: 'flag', description },
    { key: 'base_url', value: 'http://papers.example', source: 'flag', description },
    { key: 'sandbox', value: 'none', source: 'flag', description },
    { key: 'name', value: 'Papers', source: 'TEXPROOF_NAME', description },
  ]
  assert.equal(
    serveCommand({ dataDir: '/data', origins }, { TEXPROOF_BASE_URL: 'https://papers.example' }),
    `TEXPROOF_BASE_URL=https://papers.example ${program} serve --data /data --listen 0.0.0.0:80 --unsafe-no-sandbox`,
  )
})
