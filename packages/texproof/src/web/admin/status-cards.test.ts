import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { readConfig } from '../../config/read-config.ts'
import { makeStatusCards } from './status-cards.ts'
import type { StatusCard } from './status-card.ts'
import type { HostFindings } from './status-cards.ts'

const serve = `${fileURLToPath(new URL('../../../bin/texproof', import.meta.url))} serve --data /nowhere`

/** The card of the address for a request to `host`. */
function addressCard(
  settings: { readonly base_url?: string; readonly listen?: string },
  host: string,
): StatusCard | undefined {
  const { config } = readConfig({ data: '/nowhere', settings }, {})
  return cardOf('Address', { config, host })
}

function cardOf(
  wanted: string,
  found: Pick<HostFindings, 'config'> &
    Partial<Pick<HostFindings, 'host' | 'limits' | 'waiting' | 'registration' | 'queuedEmails' | 'storageProblem'>>,
): StatusCard | undefined {
  const cards = makeStatusCards({
    host: 'localhost:3000',
    disk: { freeBytes: 9e9, allBytes: 10e9, cacheBytes: 0 },
    git: { version: '2.39.5', problem: null },
    tex: {
      release: null,
      programs: [],
      missingPrograms: [],
      installCommand: null,
      biblatex: null,
      packageCount: 0,
      classCount: 0,
      fontCount: 0,
    },
    limits: { disk: null, memory: null },
    waiting: { programs: [], memoryBytes: 0, maxCount: 0, hits: 0, misses: 0 },
    queue: { queuedCount: 0, runningCount: 0, oldestQueuedAt: null },
    workers: [],
    queuedEmails: 0,
    registration: { mode: 'closed', emailDomain: null },
    backup: { last: null, isLastGone: false, failed: null },
    version: '1.0.0',
    database: 'SQLite 3',
    storageProblem: null,
    ...found,
  })
  return cards.find(({ title }) => title === wanted)
}

test('repositories that cannot be served are an error, with the command that restores them', () => {
  const { config } = readConfig({ data: '/nowhere' }, {})
  assert.deepEqual(cardOf('Repositories', { config, storageProblem: 'the disk is gone' }), {
    title: 'Repositories',
    state: 'failed',
    text: 'Repositories cannot be served: the disk is gone. If /nowhere/repositories is on another disk, mount it and restart the server. Otherwise stop the server and restore a backup:',
    remedy: `${serve.replace(/ serve.*/, '')} restore FILE --replace --data /nowhere`,
  })
})

test('the address card turns green behind TLS, and names the clients that work with it', () => {
  assert.deepEqual(addressCard({ base_url: 'https://papers.uni.example' }, 'papers.uni.example'), {
    title: 'Address',
    state: 'good',
    text: 'The base URL is https://papers.uni.example. The GitHub CLI (gh) and PyGithub work with this address.',
    remedy: null,
  })
})

test('the address card says that gh accepts no port', () => {
  assert.equal(
    addressCard({ base_url: 'https://papers.uni.example:8443' }, 'papers.uni.example:8443')?.text,
    'The base URL is https://papers.uni.example:8443. PyGithub works with this address. The GitHub CLI (gh) requires an address without a port.',
  )
})

test('the address card is yellow without TLS, and says what to do', () => {
  assert.deepEqual(
    [
      addressCard({ listen: 'localhost:3000' }, 'localhost:3000'),
      addressCard({ listen: '0.0.0.0:3000', base_url: 'http://papers.uni.example' }, 'papers.uni.example'),
    ].map((card) => [card?.state, card?.text, card?.remedy]),
    [
      [
        'warned',
        'The base URL is http://localhost:3000. Other machines cannot reach it, and the GitHub CLI (gh) requires HTTPS.',
        `# Run an HTTPS reverse proxy, then:\nTEXPROOF_BASE_URL=https://HOST ${serve} --listen localhost:3000`,
      ],
      [
        'warned',
        'The base URL is http://papers.uni.example. Plain HTTP sends passwords unencrypted, and the GitHub CLI (gh) requires HTTPS.',
        `# Run an HTTPS reverse proxy, then:\nTEXPROOF_BASE_URL=https://papers.uni.example ${serve} --listen 0.0.0.0:3000`,
      ],
    ],
  )
})

test('the address card is red when the request names another host than `base_url`', () => {
  assert.deepEqual(addressCard({ base_url: 'https://papers.uni.example' }, 'localhost:3000'), {
    title: 'Address',
    state: 'failed',
    text: 'The base URL is https://papers.uni.example. This page was opened at localhost:3000, but links and clients use the other address.',
    remedy: `TEXPROOF_BASE_URL=https://HOST ${serve}`,
  })
})

test('the accounts card warns of allowed domains whose addresses are not verified', () => {
  const registration = { mode: 'open', emailDomain: 'uni.example' } as const
  const states = [{}, { TEXPROOF_SMTP_URL: 'smtp://mail.uni.example' }].map((env) => {
    const { config } = readConfig({ data: '/nowhere', settings: {} }, env)
    return cardOf('Accounts', { config, registration })?.state
  })
  assert.deepEqual(states, ['warned', 'good'])
})

test('the mail card counts emails that the server did not accept', () => {
  const { config } = readConfig({ data: '/nowhere', settings: {} }, { TEXPROOF_SMTP_URL: 'smtp://mail.uni.example' })
  assert.deepEqual(
    [0, 1, 3].map((queuedEmails) => {
      const card = cardOf('Email', { config, queuedEmails })
      return [card?.state, card?.text.split(':')[0]]
    }),
    [
      ['good', cardOf('Email', { config })?.text.split(':')[0]],
      ['warned', '1 email queued'],
      ['warned', '3 emails queued'],
    ],
  )
})

test('the card of build limits says that the kernel enforces them', () => {
  const { config } = readConfig({ data: '/nowhere', settings: {} }, {})
  assert.deepEqual(cardOf('Build limits', { config }), {
    title: 'Build limits',
    state: 'good',
    text: 'The kernel limits the disk and memory of every build.',
    remedy: null,
  })
})

test('the card of build limits says what the kernel does not enforce, and how to change that', () => {
  const { config } = readConfig({ data: '/nowhere', settings: {} }, {})
  const memory = { code: 'MEMORY_WATCHED', reason: 'Memory is watched.', remedy: 'Delegate=yes' }
  assert.deepEqual(cardOf('Build limits', { config, limits: { disk: null, memory } }), {
    title: 'Build limits',
    state: 'warned',
    text: 'Memory is watched. Delegate=yes',
    remedy: null,
  })
})

test('the accounts card says when open registration is off because limits are polled', () => {
  const { config } = readConfig({ data: '/nowhere', settings: {} }, {})
  const memory = { code: 'MEMORY_WATCHED', reason: 'Memory is watched.', remedy: 'Delegate=yes' }
  const registration = { mode: 'open', emailDomain: null } as const
  assert.deepEqual(cardOf('Accounts', { config, registration, limits: { disk: null, memory } }), {
    title: 'Accounts',
    state: 'warned',
    text: 'Open registration is off: the kernel does not enforce the limits of builds. Invitations work.',
    remedy: `# See "Build limits". To accept limits that a watcher enforces:\nTEXPROOF_REGISTRATION_LIMITS=any ${serve}`,
  })
})

test('the card of waiting engines shows their number, their memory and how many builds used one', () => {
  const { config } = readConfig({ data: '/nowhere', settings: {} }, {})
  const waiting = { programs: ['pdflatex', 'xelatex'], memoryBytes: 150 * 1024 ** 2, maxCount: 4, hits: 9, misses: 3 }
  assert.deepEqual(cardOf('Waiting engines', { config, waiting }), {
    title: 'Waiting engines',
    state: 'good',
    text: '2 ready, using 150 MB. 9 of 12 builds used one.',
    remedy: null,
  })
})

test('the card of the compile service says who can use it', () => {
  const settings = [
    { listen: 'localhost:3000' },
    { listen: '0.0.0.0:3000' },
    { listen: 'localhost:3000', 'compile.api_key': 'k'.repeat(32) },
    { listen: 'localhost:3000', 'compile.anonymous': 'true' },
  ]
  const cards = settings.map((each) => {
    const { config } = readConfig({ data: '/nowhere', settings: each }, {})
    const { state, text } = cardOf('Compile service', { config }) ?? {}
    return [state, text]
  })
  assert.deepEqual(cards, [
    ['good', 'POST /compile accepts requests from this machine only, without an API key.'],
    ['good', 'POST /compile is disabled, because there is no API key.'],
    ['good', 'POST /compile requires the API key.'],
    ['warned', 'POST /compile accepts documents from anyone who can reach this address.'],
  ])
})
