/** `/admin/status`: what an administrator has to know, each with what to type where something is wrong. */
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import { findRegistration } from '../../../accounts/registration.ts'
import type { Deps } from '../../../deps.ts'
import { checkGit } from '../../../git/check-git.ts'
import { readVersion } from '../../../read-version.ts'
import { sendAdminPage } from '../../components/admin-page.ts'
import type { Html } from '../../components/html.ts'
import { requireAdmin } from '../../access/viewer.ts'
import { makeStatusCards } from './status-cards.ts'
import type { Card, HostFindings } from './status-cards.ts'

const SIGNS = { good: '✓', warned: '!', failed: '✕' } as const
const WORDS = { good: 'good', warned: 'look at this', failed: 'mend this' } as const

/** The cards, worst first. */
export async function showAdminStatus(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  const cards = makeStatusCards(await lookAtHost(deps, c.req.header('host') ?? ''))
  const { total } = await deps.store.repositories.listAll({ text: '', window: { offset: 0, limit: 1 } })
  const main = html`<ul class="cards">
      ${cards.map(card)}
    </ul>
    ${total === 0 ? demonstration(deps.config.dataDir) : ''}
    <p class="quiet">
      ${await deps.store.users.count()} accounts, ${total} repositories. <code>texproof doctor</code> on the server
      looks at the same, and compiles a document in the sandbox.
    </p>`
  return sendAdminPage(c, { tab: 'status', title: 'Status', main })
}

async function lookAtHost({ config, papers, store }: Deps, host: string): Promise<HostFindings> {
  const [{ bavail, bsize, blocks }, cacheBytes, git, tex, queue, registration] = await Promise.all([
    statfs(config.dataDir),
    papers.measureCache(),
    checkGit({ root: join(config.dataDir, 'repositories') }),
    papers.surveyTex(),
    store.repositories.describeQueue(),
    findRegistration(store),
  ])
  const disk = { freeBytes: bavail * bsize, allBytes: blocks * bsize, cacheBytes }
  return { config, host, disk, git, tex, queue, registration, version: readVersion() }
}

function card({ title, state, words, remedy }: Card): Html {
  return html`<li class="card-line">
    <h2>
      <span class="proof proof-${state}" aria-hidden="true">${SIGNS[state]}</span> ${title}
      <span class="visually-hidden">: ${WORDS[state]}</span>
    </h2>
    <p>${words}</p>
    ${remedy === null ? '' : html`<pre class="type-this" tabindex="0"><code>${remedy}</code></pre>`}
  </li>`
}

/** For a host on which there is nothing to look at yet. */
function demonstration(dataDir: string): Html {
  return html`<h2>Nothing here yet</h2>
    <p>Papers to look at, made and taken away again beside the running host:</p>
    <pre class="type-this" tabindex="0"><code>texproof demo --data ${dataDir}
texproof demo --data ${dataDir} --clean</code></pre>`
}
