import { Command, CommanderError, Help, type Option } from 'commander'

import { defineBackupCreate } from './backup/backup-create.ts'
import { defineBackupList } from './backup/backup-list.ts'
import { defineBackupVerify } from './backup/backup-verify.ts'
import { defineRestore } from './backup/restore.ts'
import { defineCompile } from './compile/compile.ts'
import { defineConfigShow } from './config/config-show.ts'
import { defineConfigValidate } from './config/config-validate.ts'
import { defineSealingKey } from './config/sealing-key.ts'
import { defineDemo } from './demo/demo.ts'
import { defineDoctor } from './doctor/doctor.ts'
import { definePack } from './pack/pack.ts'
import { exitCodes } from './exit-codes.ts'
import { defineImport } from './import/import.ts'
import { defineInit } from './init.ts'
import { defineMove } from './move/move.ts'
import { readVersion } from '../base/read-version.ts'
import { explainLostOutput, isRejected } from './print.ts'
import { reportFailure } from './report-failure.ts'
import { defineRepoDisable } from './repo/repo-disable.ts'
import { defineRepoPurge } from './repo/repo-purge.ts'
import { defineRepoList } from './repo/repo-list.ts'
import { defineServe } from './serve/serve.ts'
import { defineTex } from './tex.ts'
import { defineTokenCreate } from './token/token-create.ts'
import { defineTokenList } from './token/token-list.ts'
import { defineTokenRevoke } from './token/token-revoke.ts'
import { defineUserAdd } from './user/user-add.ts'
import { defineUserChanges } from './user/user-change.ts'
import { defineUserInvite } from './user/user-invite.ts'
import { defineUserList } from './user/user-list.ts'
import { defineUserQuota } from './user/user-quota.ts'
import { defineWorker } from './worker/worker.ts'
import { defineWorkerKey } from './worker/worker-key.ts'

// One file per command. It defines its options, and imports its implementation when it runs, so `--help` is fast.

// Without `await`, because the merged sources are loaded by functions. `main` never rejects.
void main(process.argv).then((exitCode) => {
  process.exitCode = exitCode
})

async function main(argv: readonly string[]): Promise<number> {
  tolerateLostOutput()
  const program = new Command('texproof')
    .description('Self-hosted code host for papers: push LaTeX, get a PDF at a permanent URL.')
    .version(readVersion(), '-V, --version')
    .showSuggestionAfterError()
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ outputError: (message, write) => write(formatUsageError(message)) })
    .exitOverride()
  defineServe(program)
  defineInit(program)
  defineImport(program)
  const user = program.command('user').description('manage users').exitOverride()
  defineUserAdd(user)
  defineUserInvite(user)
  defineUserList(user)
  defineUserQuota(user)
  defineUserChanges(user)
  const repo = program.command('repo').description('manage repositories').exitOverride()
  defineRepoList(repo)
  defineRepoDisable(repo)
  defineRepoPurge(repo)
  const token = program.command('token').description('manage access tokens').exitOverride()
  defineTokenCreate(token)
  defineTokenList(token)
  defineTokenRevoke(token)
  const backup = program.command('backup').description('create and check backups').exitOverride()
  defineBackupCreate(backup)
  defineBackupVerify(backup)
  defineBackupList(backup)
  defineRestore(program)
  defineMove(program)
  defineCompile(program)
  definePack(program)
  defineDemo(program)
  defineDoctor(program)
  defineTex(program)
  defineWorker(program)
  defineWorkerKey(program)
  const config = program.command('config').description('show and validate settings').exitOverride()
  defineConfigShow(config)
  defineConfigValidate(config)
  defineSealingKey(program)
  nameHelpAfterErrors(program, 'texproof')
  try {
    await program.parseAsync([...argv])
    return Number(process.exitCode ?? exitCodes.good)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.good : exitCodes.usage
    return reportFailure(error)
  }
}

function describeOption(option: Option): string {
  const description = Help.prototype.optionDescription(option)
  return option.mandatory ? `${description} (required)` : description
}

/** The parser's message with the prefix and the quotes of other errors. */
function formatUsageError(message: string): string {
  return message.replace(/^error: /, 'texproof: ').replaceAll(/'([^']*)'/g, '"$1"')
}

/** Usage errors name the help of their own command. */
function nameHelpAfterErrors(command: Command, words: string): void {
  command.showHelpAfterError(`Run ${words} --help for usage.`)
  for (const each of command.commands) nameHelpAfterErrors(each, `${words} ${each.name()}`)
}

/**
 * `texproof … | head` closes the pipe early, which is not a failure. Messages that cannot be written, for example to a file
 * on a full disk or to a program that has ended, do not end a server.
 */
function tolerateLostOutput(): void {
  process.stderr.on('error', () => {}) // There is no other place for them.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.good)
    if (!isRejected(error)) process.exit(reportFailure(explainLostOutput(error)))
  })
}
