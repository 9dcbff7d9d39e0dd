import { readConfig } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { CliError } from '../cli-error.ts'
import { requireHost } from '../data-dir.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { readHostConfig } from '../read-host-config.ts'
import { withInterrupt } from '../with-interrupt.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkBackup } from './check-backup.ts'
import { checkBucket } from './check-bucket.ts'
import { checkDatabase } from './check-database.ts'
import { checkDataDir } from './check-data-dir.ts'
import { checkGitProgram } from './check-git-program.ts'
import { checkIssuer } from './check-issuer.ts'
import { checkMail } from './check-mail.ts'
import { checkTex } from './check-tex.ts'
import { checkWorkers } from './check-workers.ts'
import type { DoctorOptions } from './doctor.ts'
import type { Finding } from './finding.ts'

const signs = { good: '✓', weak: '!', broken: '✗' } as const

/** Runs all checks concurrently, prints their findings in a fixed order, and returns 1 if something is broken. */
export async function runDoctor(options: DoctorOptions): Promise<ExitCode> {
  if (options.dryRun && !options.repair)
    throw new CliError('--dry-run requires --repair', {
      exitCode: exitCodes.usage,
      remedy: 'To only look for damage, use --deep.',
    })
  const { config, notices } = readConfig({ data: options.data })
  const isDeep = options.deep || options.repair
  const findings = isDeep ? await runDeep(config, options) : await checkHost(config, notices, options)
  if (options.json) await printJson(findings)
  else await print(presentAll(findings))
  return findings.some((finding) => finding.state === 'broken') ? exitCodes.failed : exitCodes.good
}

async function runDeep(config: Config, { repair, dryRun }: DoctorOptions): Promise<readonly Finding[]> {
  await requireHost(config)
  const { runDeepDoctor } = await import('./deep/run-deep-doctor.ts')
  const mode = !repair ? 'check' : dryRun ? 'plan' : 'repair'
  return withInterrupt((signal) => runDeepDoctor(config, mode, { signal }))
}

async function checkHost(
  config: Config,
  notices: readonly string[],
  { data }: Pick<DoctorOptions, 'data'>,
): Promise<readonly Finding[]> {
  const found = await Promise.all([
    checkGitProgram(config),
    checkTex(config),
    checkWorkers(config),
    checkDataDir(config),
    checkDatabase(config),
    checkBackup(config),
    checkAddresses(readHostConfig(data)),
    checkBucket(config),
    checkMail(config),
    checkIssuer(config),
  ])
  const settings = notices.map((message): Finding => ({ check: 'settings', state: 'weak', message, remedy: null }))
  return [...found.flat().map(explainTrust), ...settings]
}

/** Node ends the message about a certificate of an unknown authority with one of its own options, which no command accepts. */
function explainTrust(finding: Finding): Finding {
  const message = finding.message.replace(/; if the root CA is installed locally, .* --use-system-ca/, '')
  if (message === finding.message) return finding
  const remedy = 'Set NODE_EXTRA_CA_CERTS to the certificate file of its authority, for the server too.'
  return { ...finding, message, remedy }
}

/** One line per finding, in two columns, with its remedy below. */
function presentAll(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings
    .map(({ check, message, remedy, state }) => {
      const indent = ' '.repeat(width + 4)
      return `${signs[state]} ${check.padEnd(width)}  ${message}\n${remedy === null ? '' : `${indent}${remedy}\n`}`
    })
    .join('')
}
