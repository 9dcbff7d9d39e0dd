import { readConfig } from '../../config/read-config.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkBackup } from './check-backup.ts'
import { checkDataDir } from './check-data-dir.ts'
import { checkGitProgram } from './check-git-program.ts'
import { checkIssuer } from './check-issuer.ts'
import { checkMail } from './check-mail.ts'
import { checkTex } from './check-tex.ts'
import type { Finding } from './finding.ts'

const signs = { good: '✓', weak: '!', broken: '✗' } as const

/** Runs all checks side by side, prints what they found in a fixed order, and gives 1 when something is broken. */
export async function runDoctor(options: { readonly data?: string; readonly json?: true }): Promise<ExitCode> {
  const { config, notices } = readConfig({ data: options.data })
  const found = await Promise.all([
    checkGitProgram(config),
    checkTex(config),
    checkDataDir(config),
    checkBackup(config),
    checkAddresses(config),
    checkMail(config),
    checkIssuer(config),
  ])
  const settings = notices.map((message): Finding => ({ check: 'settings', state: 'weak', message, remedy: null }))
  const findings = [...found.flat(), ...settings]
  if (options.json) await printJson(findings)
  else await print(findings.map(present).join(''))
  return findings.some((finding) => finding.state === 'broken') ? exitCodes.failed : exitCodes.good
}

function present({ check, message, remedy, state }: Finding): string {
  return `${signs[state]} ${check.padEnd(10)} ${message}\n${remedy === null ? '' : `${' '.repeat(13)}${remedy}\n`}`
}
