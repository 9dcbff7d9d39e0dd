/** `/admin/status`: what an administrator has to know, each with what to type where something is wrong. */
import { statfs } from 'node:fs/promises'

import type { Context } from 'hono'
import { html } from 'hono/html'

import { findRegistration } from '../../../accounts/registration.ts'
import { isLoopback } from '../../../config.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { sendAdminPage } from '../../components/admin-page.ts'
import type { Html } from '../../components/html.ts'
import { requireAdmin } from '../../viewer.ts'

/** Less free space than this is told before it ends. */
const LOW_DISK_BYTES = 5e9

interface Card {
  readonly title: string
  readonly state: 'good' | 'warned' | 'failed'
  readonly words: string
  /** What to type or change; null where nothing is wrong. */
  readonly remedy: string | null
}

/** The cards, worst first. */
export async function showAdminStatus(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  const { config, store } = deps
  const cards = [
    await diskCard(config),
    addressCard(config, c.req.header('host') ?? ''),
    sandboxCard(config),
    await registrationCard(deps),
    compileCard(config),
  ]
  const order = ['failed', 'warned', 'good']
  const main = html`<ul class="cards">
      ${cards.toSorted((left, right) => order.indexOf(left.state) - order.indexOf(right.state)).map(card)}
    </ul>
    <p class="quiet">
      ${await store.users.count()} accounts. Everything else is checked by <code>texproof doctor</code> on the server.
    </p>`
  return sendAdminPage(c, { tab: 'status', title: 'Status', main })
}

function card({ title, state, words, remedy }: Card): Html {
  const sign = state === 'good' ? '✓' : state === 'warned' ? '!' : '✕'
  return html`<li class="card-line">
    <h2><span class="proof proof-${state}" aria-hidden="true">${sign}</span> ${title}</h2>
    <p>${words}</p>
    ${remedy === null ? '' : html`<pre class="type-this" tabindex="0"><code>${remedy}</code></pre>`}
  </li>`
}

async function diskCard({ dataDir }: Config): Promise<Card> {
  const { bavail, bsize, blocks } = await statfs(dataDir)
  const [free, all] = [bavail * bsize, blocks * bsize]
  const words = `${gigabytes(free)} of ${gigabytes(all)} are free where the papers lie.`
  return {
    title: 'Disk',
    state: free < LOW_DISK_BYTES ? 'warned' : 'good',
    words,
    remedy: free < LOW_DISK_BYTES ? `du -sh ${dataDir}/*` : null,
  }
}

/** Clients insist on addresses that begin with the one they asked. */
function addressCard({ baseUrl, listen }: Config, host: string): Card {
  const isSame = new URL(baseUrl).host === host
  const isTls = baseUrl.startsWith('https:')
  const words = `Addresses begin with ${baseUrl}.`
  if (!isSame)
    return {
      title: 'Address',
      state: 'failed',
      words: `${words} You asked for ${host}: links and clients will lead to the other one.`,
      remedy: `TEXPROOF_BASE_URL=https://${host}`,
    }
  if (isTls || isLoopback(listen.host)) return { title: 'Address', state: 'good', words, remedy: null }
  return {
    title: 'Address',
    state: 'warned',
    words: `${words} Without TLS passwords travel in the clear, and gh will not come.`,
    remedy: 'Put a proxy with a certificate in front, and set TEXPROOF_BASE_URL=https://…',
  }
}

function sandboxCard({ sandbox }: Config): Card {
  if (sandbox === 'required')
    return {
      title: 'Sandbox',
      state: 'good',
      words: 'Every compile is confined: no network, no files but its own.',
      remedy: null,
    }
  return {
    title: 'Sandbox',
    state: 'failed',
    words: 'Compiles are not confined: whoever can push can read this server.',
    remedy: 'Start without --unsafe-no-sandbox; texproof doctor says what is missing.',
  }
}

async function registrationCard({ store }: Deps): Promise<Card> {
  const { mode, emailDomain } = await findRegistration(store)
  const words = {
    closed: 'Nobody makes an account without you.',
    invite: 'Whoever has an invitation makes an account.',
    open:
      emailDomain === null ? 'Anyone makes an account.' : `Anyone with an address at ${emailDomain} makes an account.`,
  }
  return { title: 'Accounts', state: 'good', words: words[mode], remedy: null }
}

function compileCard({ compileApiKey, isCompileAnonymous, listen }: Config): Card {
  const isOpen = compileApiKey === null && (isCompileAnonymous || isLoopback(listen.host))
  if (!isOpen)
    return { title: 'Compile service', state: 'good', words: 'POST /compile asks for its key.', remedy: null }
  return {
    title: 'Compile service',
    state: 'warned',
    words: 'POST /compile takes documents from whoever reaches this address.',
    remedy: 'COMPILE_API_KEY=…',
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}
