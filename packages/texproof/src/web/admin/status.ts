/** `/admin/status`: the health of the host, with a remedy for each problem. */
import { statfs } from 'node:fs/promises'

import type { Context } from 'hono'
import { html } from 'hono/html'

import { findBackupRecord } from '../../backup/last-backup.ts'
import { findRegistration } from '../../accounts/join/registration.ts'
import { commandFor } from '../../config/command-line.ts'
import type { DemoState } from '../../operations/demo/open-demo.ts'
import type { Deps } from '../../operations/deps.ts'
import { findStorageProblem } from '../../operations/repository/find-storage-problem.ts'
import { checkGit } from '../../git/admin/check-git.ts'
import { readVersion } from '../../base/read-version.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { sendAdminPage } from './admin-page.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { loadDemo } from './load-demo.ts'
import { requireAdmin } from '../session/viewer.ts'
import { makeStatusCards } from './status-cards.ts'
import type { StatusCard } from './status-card.ts'
import { SHOW_WORKERS_FOR_MS } from './workers-card.ts'
import type { HostFindings } from './status-cards.ts'

const SIGNS = { good: '✓', warned: '!', failed: '✕' } as const
const WORDS = { good: 'good', warned: 'warning', failed: 'error' } as const

/** The cards, worst first. */
export async function showAdminStatus(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  const cards = makeStatusCards(await lookAtHost(deps, c.req.header('host') ?? ''))
  const { total } = await deps.store.admin.listRepositories({ text: '', window: { offset: 0, limit: 1 } })
  const demo = await deps.demo.describe()
  const { dataDir } = deps.config
  const userCount = await deps.store.users.count()
  const main = html`${aboutDemo(c, demo, { isEmpty: total === 0, dataDir })}
    <ul class="cards">
      ${cards.map(card)}
    </ul>
    <p class="quiet">
      ${countOf(userCount, 'account')}, ${countOf(total, 'repository', 'repositories')}. Run
      <code>${breakable(commandFor(dataDir, 'doctor'))}</code> on the server for the same checks and a test compile.
      ${demo.kind === 'none' ? html`<a href="/admin/demo">Load demo data</a> to try out every feature.` : ''}
    </p>`
  return sendAdminPage(c, { tab: 'status', title: 'Status', main })
}

async function lookAtHost({ config, papers, store }: Deps, host: string): Promise<HostFindings> {
  const [
    { bavail, bsize, blocks },
    cacheBytes,
    git,
    tex,
    waiting,
    limits,
    queue,
    workers,
    registration,
    backup,
    queuedEmails,
    database,
    storageProblem,
  ] = await Promise.all([
    statfs(config.dataDir),
    papers.measureCache(),
    checkGit(config),
    papers.texInventory(),
    papers.waitingEngines(),
    papers.describeLimits(),
    store.admin.describeQueue(),
    store.workerKeys.listWorkers({ since: Date.now() - SHOW_WORKERS_FOR_MS }),
    findRegistration(store),
    findBackupRecord(store),
    store.queuedEmails.countRefused(),
    store.describe(),
    findStorageProblem(store, config),
  ])
  const disk = { freeBytes: bavail * bsize, allBytes: blocks * bsize, cacheBytes }
  const version = readVersion()
  return {
    config,
    host,
    limits,
    waiting,
    disk,
    git,
    tex,
    queue,
    workers,
    registration,
    backup,
    queuedEmails,
    version,
    database,
    storageProblem,
  }
}

function card({ title, state, text, remedy }: StatusCard): Html {
  return html`<li class="card-line">
    <h2>
      <span class="proof proof-${state}" aria-hidden="true">${SIGNS[state]}</span> ${title}
      <span class="visually-hidden">: ${WORDS[state]}</span>
    </h2>
    <p>${withCode(text)}</p>
    ${remedy === null ? '' : html`<pre class="type-this" tabindex="0"><code>${breakable(remedy)}</code></pre>`}
  </li>`
}

/** Text with commands in backticks. */
function withCode(text: string): readonly (Html | string)[] {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${breakable(part)}</code>`))
}

/** Offered on an empty host; on a host with demo data a notice marks them as such. */
function aboutDemo(
  c: Context,
  { kind }: DemoState,
  { isEmpty, dataDir }: { readonly isEmpty: boolean; readonly dataDir: string },
): Html | '' {
  if (kind !== 'none')
    return html`<p class="notice">
      This host has demo data: <a href="/admin/demo">see its status, or remove it</a>. On the server:
      <code>${breakable(commandFor(dataDir, 'demo --clean'))}</code>
    </p>`
  return isEmpty
    ? html`<h2>No repositories yet</h2>
        ${loadDemo(c)}`
    : ''
}
