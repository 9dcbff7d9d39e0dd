import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { explainFailure } from './explain-failure.mjs'
import { say, startProgress } from './progress.mjs'
import { runProgram } from './run-program.mjs'

const install = ['apt-get', 'install', '--yes', '--no-install-recommends']
const environment = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
const lockWaitMs = 120_000
const retryAfterMs = 24 * 3_600_000

/**
 * Installs what the host lacks where that is possible (root on Debian or Ubuntu); else prints what a person can type.
 * Never fatal: the host goes on with what is there, and each part says itself what it misses.
 *
 * @param {readonly import('./host-packages.mjs').HostPackage[]} missing
 * @param {string} root Absolute path of the checkout.
 */
export async function installHostPackages(missing, root) {
  const remembered = readRefused(root)
  const wanted = missing.filter((row) => !remembered.includes(row.name))
  if (wanted.length === 0) return
  if (!isDebianLike()) return printPrograms(wanted)
  if (process.getuid?.() !== 0) return printCommand(wanted)

  say(`Installing ${wanted.length} system packages (this happens once):`)
  for (const row of wanted) say(`        ${row.name.padEnd(28)} ${row.reason}`)
  const updated = await runApt(['update', '-o', 'APT::Update::Error-Mode=any'], 'package lists', false)
  const known = updated.exitCode === 0 ? await listKnownPackages(wanted) : wanted
  const unknown = wanted.filter((row) => !known.includes(row))
  if (unknown.length > 0)
    say(`        This system has no ${unknown.map((row) => row.name).join(', ')}: going on without.`)
  const names = known.map((row) => row.name)
  if (names.length > 0) await runApt([...install.slice(1), ...names], 'system packages', true)
  if (updated.exitCode === 0) rememberRefused(root, [...remembered, ...unknown.map((row) => row.name)])
}

function printCommand(rows) {
  say('Some system packages are missing:')
  for (const row of rows) say(`        ${row.name.padEnd(28)} ${row.reason}`)
  say('You are not root, so please run this once (Texproof goes on with what is there):\n')
  say(`  sudo apt-get update && sudo ${[...install, ...rows.map((row) => row.name)].join(' ')}\n`)
}

function printPrograms(rows) {
  say(
    'This is neither Debian nor Ubuntu, so please install with your own package manager (Debian names, for orientation):',
  )
  for (const row of rows) {
    const parts = [...(row.programs ?? []), ...(row.texFiles ?? [])].join(', ')
    say(`        ${row.name.padEnd(28)} ${row.reason}${parts === '' ? '' : ` (${parts})`}`)
  }
  say('Texproof goes on with what is there.')
}

function isDebianLike() {
  try {
    const release = readFileSync('/etc/os-release', 'utf8')
    return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release)
  } catch {
    // No os-release: surely not a system whose package names are known here.
    return false
  }
}

async function listKnownPackages(rows) {
  const { output } = await runProgram('apt-cache', ['policy', ...rows.map((row) => row.name)], { env: environment })
  const candidates = [...output.matchAll(/^(\S+):\n(?: {2}.*\n)*? {2}Candidate: (?!\(none\))/gm)].map(
    (match) => match[1],
  )
  return rows.filter((row) => candidates.includes(row.name))
}

/** Runs apt-get, waiting for another one to finish and mending a half-done installation once. */
async function runApt(args, title, isInstall) {
  const startedAt = Date.now()
  const progress = startProgress(title)
  const options = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20']
  const status = isInstall ? ['-o', 'APT::Status-Fd=3'] : []
  const onLine = (line) => progress.update(describeStatus(line, isInstall))
  for (let hasMended = false; ;) {
    const report = await runProgram('apt-get', [...options, ...status, ...args], {
      env: environment,
      onLine,
      statusFd: isInstall,
    })
    const isLocked = /Could not get lock|Unable to lock directory|Unable to acquire the dpkg/.test(report.output)
    if (report.exitCode === 0) {
      progress.end('done')
      return report
    }
    if (isLocked && Date.now() - startedAt < lockWaitMs) {
      const holder = /held by process (\d+ \([^)]*\))/.exec(report.output)?.[1] ?? 'another package manager'
      progress.update(`waiting for ${holder}`)
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    } else if (/dpkg was interrupted/.test(report.output) && !hasMended) {
      hasMended = true
      progress.update('finishing an installation that was interrupted')
      await runProgram('dpkg', ['--configure', '-a'], { env: environment })
    } else {
      progress.end('failed')
      say(explainFailure(report.output))
      return report
    }
  }
}

/** `pmstatus:texlive-base:41.2:Unpacking texlive-base (all)` and `dlstatus:3:12.5:Retrieving file 3 of 80`. */
function describeStatus(line, isStatus) {
  if (!isStatus) return line.slice(0, 70)
  const [, , percent = '', words = ''] = line.split(':')
  const whole = Number.parseInt(percent, 10)
  const stage = line.startsWith('dlstatus') ? 'download' : 'install'
  return Number.isNaN(whole) ? words : `${stage} ${String(whole).padStart(3)} %  ${words}`
}

/** Names that this system's package lists lacked within the last day: not asked for again each time. */
function readRefused(root) {
  try {
    const { at, names } = JSON.parse(readFileSync(join(root, '.setup', 'refused.json'), 'utf8'))
    return Date.now() - at < retryAfterMs ? names : []
  } catch {
    // Nothing remembered, or nothing that can be read: ask again.
    return []
  }
}

function rememberRefused(root, names) {
  mkdirSync(join(root, '.setup'), { recursive: true })
  writeFileSync(join(root, '.setup', 'refused.json'), JSON.stringify({ at: Date.now(), names }))
}
