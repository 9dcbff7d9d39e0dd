import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { explainFailure } from './explain-failure.mjs'
import { profiles } from './host-packages.mjs'
import { findLackOfSpace, formatBytes, measureInstall } from './measure-install.mjs'
import { say, startProgress } from './progress.mjs'
import { runProgram } from './run-program.mjs'
import { writeUnfinished } from './unfinished.mjs'

const install = ['install', '--yes', '--no-install-recommends']
const environment = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
const lockWaitMs = 120_000
const retryAfterMs = 24 * 3_600_000

/**
 * Installs the missing packages as root on Debian or Ubuntu; otherwise prints the commands to run. Never fatal: the server
 * starts without them, and each part reports what it lacks.
 *
 * @param {object} found What `findMissingPackages` returns.
 * @param {readonly import('./host-packages.mjs').HostPackage[]} found.missing
 * @param {readonly import('./host-packages.mjs').HostPackage[]} found.interrupted
 * @param {string} root Absolute path of the checkout.
 */
export async function installHostPackages({ missing, interrupted }, root) {
  const remembered = readRefused(root)
  const wanted = missing.filter((row) => !remembered.includes(row.name))
  if (wanted.length === 0) return
  if (!isDebianLike()) return printPrograms(wanted)
  if (process.getuid?.() !== 0) return printCommand(wanted, interrupted)

  if (interrupted.length > 0) await finishInterrupted(interrupted)
  say(`Installing ${wanted.length} system packages (this happens once):`)
  for (const row of wanted) say(`        ${row.name.padEnd(28)} ${row.reason}`)
  const updated = await runApt(['update', '-o', 'APT::Update::Error-Mode=any'], 'package lists', false)
  const known = updated.exitCode === 0 ? await listKnownPackages(wanted) : wanted
  const unknown = wanted.filter((row) => !known.includes(row))
  if (unknown.length > 0)
    say(`        Not available on this system, skipped: ${unknown.map((row) => row.name).join(', ')}`)
  if (known.length > 0) await installKnown(known, root)
  // apt deletes its downloads after an installation, but not the downloads of an interrupted one.
  if (interrupted.length > 0) await runProgram('apt-get', ['clean'])
  if (updated.exitCode === 0) rememberRefused(root, [...remembered, ...unknown.map((row) => row.name)])
}

async function installKnown(rows, root) {
  const names = rows.map((row) => row.name)
  const sizes = await measureInstall(['install', '--no-install-recommends', ...names])
  if (sizes !== null) {
    say(`        Download ${formatBytes(sizes.downloadBytes)}, on disk ${formatBytes(sizes.diskBytes)}.`)
    const lack = findLackOfSpace(sizes)
    if (lack !== null) return sayDiskIsFull(lack, rows)
  }
  writeUnfinished(root, names)
  // Downloads are deleted after the installation; after an interruption they are kept and used.
  const options = ['-o', 'APT::Keep-Downloaded-Packages=false']
  const { exitCode } = await runApt([...options, ...install, ...names], 'system packages', true)
  if (exitCode === 0) writeUnfinished(root, [])
}

function sayDiskIsFull(lack, rows) {
  say(`Not enough disk space: ${lack}. Nothing was installed.`)
  const { downloadMb, diskMb } = profiles.small
  if (rows.some((row) => row.profile === 'full')) {
    say(`Free some space, or install the small TeX Live: npm start -- --tex small`)
    say(`(download ${formatBytes(downloadMb * 1e6)}, on disk ${formatBytes(diskMb * 1e6)})`)
  } else say('Free some space, then run the same command again.')
}

/** Completes an interrupted installation with dpkg: engines without their formats exist but cannot run. */
async function finishInterrupted(rows) {
  say(`Completing an interrupted installation (${rows.length} packages).`)
  const configured = await runApt(['--configure', '-a'], 'interrupted installation', false, 'dpkg')
  if (configured.exitCode !== 0) await runApt(['--fix-broken', ...install], 'missing dependencies', true)
}

function printCommand(rows, interrupted) {
  say('Some system packages are missing:')
  for (const row of rows) say(`        ${row.name.padEnd(28)} ${row.reason}`)
  const { full, small } = profiles
  if (rows.some((row) => row.profile === 'full')) {
    say(`The full TeX Live is ${describe(full)}. The small one (\`npm start -- --tex small\`) is ${describe(small)}.`)
  }
  say('Installing them requires root. Run this command once; until then, Texproof starts without them:\n')
  if (interrupted.length > 0) say('  sudo dpkg --configure -a')
  say(`  sudo apt-get update && sudo apt-get ${[...install, ...rows.map((row) => row.name)].join(' ')}\n`)
}

function describe({ downloadMb, diskMb }) {
  return `a download of ${formatBytes(downloadMb * 1e6)} and ${formatBytes(diskMb * 1e6)} on disk`
}

function printPrograms(rows) {
  say('This system is neither Debian nor Ubuntu. Install these packages with your package manager (Debian names):')
  for (const row of rows) {
    const parts = [...(row.programs ?? []), ...(row.texFiles ?? [])].join(', ')
    say(`        ${row.name.padEnd(28)} ${row.reason}${parts === '' ? '' : ` (${parts})`}`)
  }
  say('Texproof starts without them.')
}

function isDebianLike() {
  try {
    const release = readFileSync('/etc/os-release', 'utf8')
    return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release)
  } catch {
    // Without os-release, the package names of the system are unknown.
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

/** Runs apt-get or dpkg. Waits for another package manager, and completes an interrupted installation once. */
async function runApt(args, title, isInstall, program = 'apt-get') {
  const startedAt = Date.now()
  const progress = startProgress(title)
  const retries = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20']
  const options = program === 'apt-get' ? [...retries, ...(isInstall ? ['-o', 'APT::Status-Fd=3'] : [])] : []
  const onLine = (line) => progress.update(describeStatus(line, isInstall))
  for (let hasCompleted = false; ;) {
    const report = await runProgram(program, [...options, ...args], {
      env: environment,
      onLine,
      statusFd: isInstall,
    })
    const isLocked =
      /Could not get lock|Unable to lock directory|Unable to acquire the dpkg|lock was locked by another process/.test(
        report.output,
      )
    if (report.exitCode === 0) {
      progress.end('done')
      return report
    }
    if (isLocked && Date.now() - startedAt < lockWaitMs) {
      const holder = /held by process (\d+ \([^)]*\))/.exec(report.output)?.[1] ?? 'another package manager'
      progress.update(`waiting for ${holder}`)
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    } else if (
      /dpkg was interrupted|Unmet dependencies/.test(report.output) &&
      program === 'apt-get' &&
      !hasCompleted
    ) {
      hasCompleted = true
      progress.update('completing an interrupted installation')
      await runProgram('dpkg', ['--configure', '-a'], { env: environment })
      await runProgram('apt-get', ['--fix-broken', ...install], { env: environment })
    } else {
      progress.end('failed')
      say(explainFailure(report.output))
      return report
    }
  }
}

/** `pmstatus:texlive-base:41.2:Unpacking texlive-base (all)` and `dlstatus:3:12.5:Retrieving file 3 of 80`. */
export function describeStatus(line, isStatus) {
  if (!isStatus) return line.slice(0, 70)
  const [, , percent = '', words = ''] = line.split(':')
  const whole = Number.parseInt(percent, 10)
  const stage = line.startsWith('dlstatus') ? 'download' : 'install'
  return Number.isNaN(whole) ? words : `${stage} ${String(whole).padStart(3)} %  ${words}`
}

/** Names that the package lists lacked within the last day, so that they are not looked up at every start. */
function readRefused(root) {
  try {
    const { at, names } = JSON.parse(readFileSync(join(root, '.setup', 'refused.json'), 'utf8'))
    return Date.now() - at < retryAfterMs ? names : []
  } catch {
    // Absent or unreadable: look them up again.
    return []
  }
}

function rememberRefused(root, names) {
  mkdirSync(join(root, '.setup'), { recursive: true })
  writeFileSync(join(root, '.setup', 'refused.json'), JSON.stringify({ at: Date.now(), names }))
}
