/** The cards of `/admin/status`. Pure: made from `HostFindings` alone. */
import type { LimitEnforcement, TexInventory, WaitingStatus } from '@texproof/platex/project'

import type { BackupRecord } from '../../backup/last-backup.ts'
import { explainRegistrationRisk } from '../../accounts/join/open-registration.ts'
import type { Registration } from '../../accounts/join/registration.ts'
import { commandFor, serveCommand } from '../../config/command-line.ts'
import { isCompileClosed, isLoopback } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import type { GitCheck } from '../../git/admin/check-git.ts'
import type { QueueState } from '../../store/admin/build-queries.ts'
import type { SeenWorker } from '../../store/builds/worker-keys.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { formatAge } from '../ui/format/time-ago.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { backupCard } from './backup-card.ts'
import { workersCard } from './workers-card.ts'
import type { StatusCard } from './status-card.ts'

/** The measurements that the cards show. */
export interface HostFindings {
  readonly config: Config
  /** `Host` header of the request. */
  readonly host: string
  readonly disk: { readonly freeBytes: number; readonly allBytes: number; readonly cacheBytes: number }
  readonly git: GitCheck
  readonly limits: LimitEnforcement
  readonly waiting: WaitingStatus
  readonly tex: TexInventory
  readonly queue: QueueState
  readonly workers: readonly SeenWorker[]
  /** Emails that the mail server did not accept. */
  readonly queuedEmails: number
  readonly registration: Registration
  readonly backup: BackupRecord
  readonly version: string
  /** Kind and version of the database, as text. */
  readonly database: string
  /** Why repositories cannot be served; null = they can. */
  readonly storageProblem: string | null
}

/** Warn below this free space. */
const LOW_DISK_BYTES = 5e9
const ORDER = ['failed', 'warned', 'good']
/** A build that waits longer than this is reported. */
const LONG_WAIT_MS = 10 * 60_000

/** The cards, worst first. */
export function makeStatusCards(found: HostFindings): readonly StatusCard[] {
  const {
    backup,
    config,
    database,
    disk,
    git,
    host,
    limits,
    queue,
    registration,
    tex,
    version,
    queuedEmails,
    waiting,
  } = found
  const workers = workersCard(config, found.workers, Date.now())
  const cards = [
    ...(found.storageProblem === null ? [] : [repositoriesCard(found.storageProblem, config)]),
    diskCard(config, disk),
    backupCard(config, { ...backup, now: Date.now() }),
    addressCard(config, host),
    sandboxCard(config),
    limitsCard(config, limits),
    gitCard(git),
    ...(config.build.isLocal ? [texCard(tex)] : []),
    ...(workers === null ? [] : [workers]),
    queueCard(queue, config),
    enginesCard(waiting),
    mailCard(config, queuedEmails),
    registrationCard(registration, config, limits),
    compileCard(config),
    versionCard(version, database),
  ]
  return cards.toSorted((left, right) => ORDER.indexOf(left.state) - ORDER.indexOf(right.state))
}

function diskCard(config: Config, { freeBytes, allBytes, cacheBytes }: HostFindings['disk']): StatusCard {
  const { dataDir, maxCacheBytes } = config
  const isLow = freeBytes < LOW_DISK_BYTES
  const cache = `Build results use ${formatBytes(cacheBytes)} of ${formatBytes(maxCacheBytes)}.`
  return {
    title: 'Disk',
    state: isLow ? 'warned' : 'good',
    text: `${formatBytes(freeBytes)} of ${formatBytes(allBytes)} free in ${dataDir}. ${cache}`,
    remedy: isLow ? `du -sh ${dataDir}/*\n${serveCommand(config, { TEXPROOF_CACHE_MAX_BYTES: '5g' })}` : null,
  }
}

/** Clients require addresses in responses to start with the requested one. */
function addressCard(config: Config, host: string): StatusCard {
  const { baseUrl, listen } = config
  const text = `The base URL is ${baseUrl}.`
  // Other machines cannot reach a loopback address, so its public name is unknown.
  const publicHost = isLoopback(new URL(`https://${host}`).hostname) ? 'HOST' : host
  const change = serveCommand(config, { TEXPROOF_BASE_URL: `https://${publicHost}` })
  if (new URL(baseUrl).host !== host)
    return {
      title: 'Address',
      state: 'failed',
      text: `${text} This page was opened at ${host}, but links and clients use the other address.`,
      remedy: change,
    }
  if (baseUrl.startsWith('https:'))
    return { title: 'Address', state: 'good', text: `${text} ${describeClients(baseUrl)}`, remedy: null }
  const lack =
    isLoopback(listen.host) && isLoopback(new URL(baseUrl).hostname)
      ? 'Other machines cannot reach it, and the GitHub CLI (gh) requires HTTPS.'
      : 'Plain HTTP sends passwords unencrypted, and the GitHub CLI (gh) requires HTTPS.'
  return {
    title: 'Address',
    state: 'warned',
    text: `${text} ${lack}`,
    remedy: `# Run an HTTPS reverse proxy, then:\n${change}`,
  }
}

/** gh accepts no address with a port. */
function describeClients(baseUrl: string): string {
  return new URL(baseUrl).port === ''
    ? 'The GitHub CLI (gh) and PyGithub work with this address.'
    : 'PyGithub works with this address. The GitHub CLI (gh) requires an address without a port.'
}

function sandboxCard({ dataDir, sandbox }: Config): StatusCard {
  if (sandbox === 'required')
    return {
      title: 'Sandbox',
      state: 'good',
      text: 'Every compile runs in a sandbox without network access, and can access only its own files.',
      remedy: null,
    }
  return {
    title: 'Sandbox',
    state: 'failed',
    text: 'The sandbox is off: anyone who can push can read the files of this server.',
    remedy: `${commandFor(dataDir, 'doctor')}    # shows what is missing; then start without --unsafe-no-sandbox`,
  }
}

/** Omitted when builds run without a sandbox. */
function limitsCard({ sandbox }: Config, { disk, memory }: LimitEnforcement): StatusCard {
  const title = 'Build limits'
  const missing = [disk, memory].filter((weakness) => weakness !== null)
  if (sandbox === 'none' || missing.length === 0) {
    const text =
      sandbox === 'none'
        ? 'A watcher process stops builds that exceed their limits. The sandbox is off.'
        : 'The kernel limits the disk and memory of every build.'
    return { title, state: sandbox === 'none' ? 'warned' : 'good', text, remedy: null }
  }
  return {
    title,
    state: 'warned',
    text: missing.map(({ reason, remedy }) => `${reason} ${remedy}`).join(' '),
    remedy: null,
  }
}

function repositoriesCard(storageProblem: string, { dataDir }: Config): StatusCard {
  return {
    title: 'Repositories',
    state: 'failed',
    text: `Repositories cannot be served: ${storageProblem}. If ${dataDir}/repositories is on another disk, mount it and restart the server. Otherwise stop the server and restore a backup:`,
    remedy: commandFor(dataDir, 'restore FILE --replace'),
  }
}

function gitCard({ version, problem }: GitCheck): StatusCard {
  if (problem !== null)
    return { title: 'Git', state: 'failed', text: `${problem.problem} ${problem.remedy}`, remedy: null }
  return { title: 'Git', state: 'good', text: `git ${version ?? ''}`, remedy: null }
}

function texCard({ release, programs, missingPrograms, installCommand, biblatex }: TexInventory): StatusCard {
  const title = 'TeX'
  const engines = programs.filter(({ name }) => /latex$|^tectonic$/.test(name))
  if (engines.length === 0)
    return {
      title,
      state: 'failed',
      text: 'No TeX engine is installed: nothing can be built.',
      remedy: installCommand,
    }
  const list = programs.map(({ name, version }) => (version === null ? name : `${name} ${version}`)).join(', ')
  const text = `${release ?? 'No TeX Live'}: ${list}.`
  if (biblatex !== null && !biblatex.isMatched)
    return {
      title,
      state: 'failed',
      text: `${text} biber ${biblatex.biber} and biblatex ${biblatex.biblatex} are not compatible: documents with biblatex fail. Install both from the same TeX Live release.`,
      remedy: null,
    }
  return missingPrograms.length === 0
    ? { title, state: 'good', text, remedy: null }
    : { title, state: 'warned', text: `${text} Missing: ${missingPrograms.join(', ')}.`, remedy: installCommand }
}

function queueCard({ queuedCount, runningCount, oldestQueuedAt }: QueueState, config: Config): StatusCard {
  const isLong = oldestQueuedAt !== null && Date.now() - oldestQueuedAt > LONG_WAIT_MS
  const waiting = `${queuedCount} queued`
  const since = oldestQueuedAt === null ? '' : `, the oldest one queued ${formatAge(oldestQueuedAt, Date.now())}`
  return {
    title: 'Builds',
    state: isLong ? 'warned' : 'good',
    text: `${runningCount} running (at most ${config.build.concurrency}), ${waiting}${since}.`,
    remedy: isLong ? serveCommand(config, { TEXPROOF_BUILD_CONCURRENCY: String(config.build.concurrency * 2) }) : null,
  }
}

function enginesCard({ programs, memoryBytes, maxCount, hits, misses }: WaitingStatus): StatusCard {
  const title = 'Waiting engines'
  if (maxCount === 0) return { title, state: 'good', text: 'No engine is kept ready.', remedy: null }
  const text = `${programs.length} ready, using ${formatBytes(memoryBytes)}. ${hits} of ${hits + misses} builds used one.`
  return { title, state: 'good', text, remedy: null }
}

function mailCard(config: Config, waiting: number): StatusCard {
  const { dataDir, smtp } = config
  if (smtp !== null && waiting > 0)
    return {
      title: 'Email',
      state: 'warned',
      text: `${countOf(waiting, 'email')} queued: ${smtp.host} did not accept the last attempt.`,
      remedy: `${commandFor(dataDir, 'doctor')}    # checks the connection to the mail server`,
    }
  if (smtp !== null)
    return {
      title: 'Email',
      state: 'good',
      text: `Email is sent through ${smtp.host}, from ${smtp.from}.`,
      remedy: null,
    }
  return {
    title: 'Email',
    state: 'warned',
    text: 'No mail server is configured. Users who forget their password must ask you for a reset link.',
    remedy: serveCommand(config, { TEXPROOF_SMTP_URL: 'smtps://USER:PASSWORD@HOST' }),
  }
}

function registrationCard({ mode, emailDomain }: Registration, config: Config, limits: LimitEnforcement): StatusCard {
  const title = 'Accounts'
  const { oidc, smtp } = config
  const risk = explainRegistrationRisk(config, limits)
  if (mode === 'open' && risk !== null) {
    return {
      title,
      state: 'warned',
      text: `Open registration is off: ${risk}. Invitations work.`,
      remedy: `# See "Build limits". To accept limits that a watcher enforces:\n${serveCommand(config, { TEXPROOF_REGISTRATION_LIMITS: 'any' })}`,
    }
  }
  const text = {
    closed: 'Registration is closed.',
    invite: 'Registration requires an invitation.',
    open:
      emailDomain === null
        ? 'Registration is open to anyone.'
        : `Registration is open to email addresses at ${emailDomain}.`,
  }
  const byIssuer = oidc?.isJoinAllowed ? ` Users of ${oidc.name} can create an account, too.` : ''
  if (mode === 'open' && emailDomain !== null && smtp === null)
    return {
      title,
      state: 'warned',
      text: `${text.open} Without a mail server, addresses are not verified: anyone can enter one.${byIssuer}`,
      remedy: `${serveCommand(config, { TEXPROOF_SMTP_URL: 'smtps://USER:PASSWORD@HOST' })}\n# Or allow invited users only: Administration, Settings`,
    }
  return { title, state: 'good', text: `${text[mode]}${byIssuer}`, remedy: null }
}

function compileCard(config: Config): StatusCard {
  const title = 'Compile service'
  const { compileApiKey, isCompileAnonymous } = config
  if (compileApiKey === null && isCompileAnonymous)
    return {
      title,
      state: 'warned',
      text: 'POST /compile accepts documents from anyone who can reach this address.',
      remedy: serveCommand(config, { COMPILE_API_KEY: '$(openssl rand -hex 24)' }),
    }
  return { title, state: 'good', text: describeCompile(config), remedy: null }
}

function describeCompile(config: Config): string {
  if (config.compileApiKey !== null) return 'POST /compile requires the API key.'
  if (isCompileClosed(config)) return 'POST /compile is disabled, because there is no API key.'
  return 'POST /compile accepts requests from this machine only, without an API key.'
}

function versionCard(version: string, database: string): StatusCard {
  return {
    title: 'Version',
    state: 'good',
    text: `Texproof ${version}, on Node ${process.versions.node}. Database: ${database}.`,
    remedy: null,
  }
}
