import { join } from 'node:path'

import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import type { DeleteAccountRefusal } from '../../operations/account/delete-account.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandMail } from '../with-accounts.ts'
import { withGit } from '../repo/with-git.ts'

/** What a command needs to change an account. */
export interface AccountPlace {
  readonly config: Config
  readonly store: Store
  readonly mail: CommandMail
}

/**
 * Deletes a disabled account, with the repositories in its trash, by the rules of *Administration, Users*.
 *
 * @throws CliError 1 with the remedy if the account is not disabled, owns repositories, or is the last administrator.
 */
export async function deleteUser(user: User, { config, store, mail }: AccountPlace): Promise<void> {
  const { dataDir } = config
  const { login } = user
  if (!user.isDisabled)
    throw notDeleted(
      `${login} is not disabled`,
      `Disable the account first: ${commandFor(dataDir, `user disable ${login}`)}`,
    )
  const [{ deleteAccount }, { removeBuildFiles }] = await Promise.all([
    import('../../operations/account/delete-account.ts'),
    import('../../papers/cache/purge-builds.ts'),
  ])
  const refusal = await withGit(config, ({ git, copies }) => {
    const cacheDir = join(dataDir, 'cache')
    const papers = { removeBuildFiles: (id: number) => removeBuildFiles(id, { store, cacheDir, copies }) }
    return deleteAccount({ config, git, mail, papers, store }, { user, actor: null })
  })
  if (refusal !== null) throw explainRefusal(refusal, login, dataDir)
}

function explainRefusal(refusal: DeleteAccountRefusal, login: string, dataDir: string): CliError {
  if (refusal === 'last-administrator')
    return notDeleted(
      `${login} is the last administrator`,
      `Make another user an administrator first: ${commandFor(dataDir, 'user make-admin NAME')}`,
    )
  return notDeleted(
    `${login} owns repositories`,
    `Enable the account (${commandFor(dataDir, `user enable ${login}`)}), and let ${login} transfer or delete them first.`,
  )
}

function notDeleted(problem: string, remedy: string): CliError {
  return new CliError(`${problem}. Nothing was deleted`, { exitCode: exitCodes.failed, remedy })
}
