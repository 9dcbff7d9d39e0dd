import { existsSync } from 'node:fs'
import { access, constants, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'
import { makeFolders } from '../base/make-folders.ts'
import { isHalfRestored } from '../backup/put-in-place.ts'
import { commandFor } from '../config/command-line.ts'
import { explainForeignOwner } from '../config/foreign-owner.ts'
import type { OwnerProblem } from '../config/foreign-owner.ts'
import type { Config } from '../config/read-config.ts'
import { hasRepositories } from '../git/admin/has-repositories.ts'
import { quote } from '../domain/text/shell-word.ts'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import { say } from './say.ts'

/** Linux makes a file system read-only after an error of its disk. */
export const remountRemedy = 'Check the disk with dmesg, then remount it: mount -o remount,rw MOUNT_POINT'

type DatabasePlace = Pick<Config, 'dataDir' | 'databaseUrl'>

/**
 * Creates the data directory if it is missing, and checks that it belongs to this user, that no other can access it, and
 * that its host has its database.
 *
 * @throws CliError 2 with the remedy, even after an interrupted restore.
 */
export async function createDataDir(place: DatabasePlace): Promise<void> {
  const { dataDir } = place
  const created = await makeDataFolder(dataDir)
  if (created !== undefined) say(`Created data directory ${dataDir}`)
  await checkDataDir(dataDir)
  await refuseWrongDatabase(place)
}

/**
 * Creates the folder of a data directory with its parents. Returns the first one created; undefined if the folder exists.
 *
 * @throws CliError 2 with the remedy.
 */
export function makeDataFolder(dataDir: string): Promise<string | undefined> {
  return explainErrors(dataDir, () => makeFolders(dataDir, 0o700))
}

/**
 * Checks that a data directory contains a host. A command that created one for a mistyped path would seem to succeed.
 *
 * @throws CliError 2 with the remedy.
 */
export async function requireHost(place: DatabasePlace): Promise<void> {
  const { dataDir, databaseUrl } = place
  if (existsSync(dataDir)) await checkDataDir(dataDir)
  await refuseWrongDatabase(place)
  if (existsSync(databaseUrl === null ? join(dataDir, 'texproof.db') : dataDir)) return
  throw new CliError(`no host found in ${dataDir}`, {
    exitCode: exitCodes.usage,
    remedy: 'Set its data directory with --data DIR or TEXPROOF_DATA_DIR. `texproof init` creates a new host.',
  })
}

/**
 * Why the configured database does not belong to this data directory; null if it is, or if there is no host yet. A new database
 * would hide the repositories, or continue beside the other one.
 */
export async function explainWrongDatabase({ dataDir, databaseUrl }: DatabasePlace): Promise<OwnerProblem | null> {
  const path = join(dataDir, 'texproof.db')
  const database = await stat(path).catch(whenAbsent(null))
  // An interrupted first start leaves an empty file, and no repositories.
  const hasData = database !== null && database.size > 0
  if (databaseUrl !== null) return hasData ? explainTwoDatabases(path, dataDir) : null
  if (hasData) return null
  const moved = (await findMovedDatabases(dataDir)).at(-1)
  if (moved !== undefined)
    return {
      problem: `the database of ${dataDir} was moved to PostgreSQL, and TEXPROOF_DATABASE_URL is not set`,
      remedy: `Set this variable. To continue with the data from before the move instead, rename ${moved} to texproof.db.`,
    }
  if (!(await hasRepositories(join(dataDir, 'repositories')))) return null
  return {
    problem: `the database ${path} is ${database === null ? 'missing' : 'empty'}, but there are repositories`,
    remedy: `Restore a backup: ${commandFor(dataDir, 'restore FILE --replace')}. The repositories are kept aside.`,
  }
}

/** `texproof move` renames the database that it has copied to PostgreSQL. */
function explainTwoDatabases(path: string, dataDir: string): OwnerProblem {
  return {
    problem: `TEXPROOF_DATABASE_URL is set, but the data of this host is in ${path}`,
    remedy:
      `Move it to PostgreSQL with ${commandFor(dataDir, 'move')}, or unset TEXPROOF_DATABASE_URL. ` +
      'If PostgreSQL has the newer data, rename the file.',
  }
}

/** Names of the databases that `texproof move` has renamed, oldest first. */
export async function findMovedDatabases(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(dataDir).catch(whenAbsent([]))
  return names.filter((name) => /^texproof-moved-\d+\.db$/.test(name)).toSorted()
}

async function refuseWrongDatabase(place: DatabasePlace): Promise<void> {
  const wrong = await explainWrongDatabase(place)
  if (wrong !== null) throw new CliError(wrong.problem, { exitCode: exitCodes.usage, remedy: wrong.remedy })
}

async function checkDataDir(dataDir: string): Promise<void> {
  const mode = await explainErrors(dataDir, async () => {
    const stats = await stat(dataDir)
    if (!stats.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    const foreign = explainForeignOwner(dataDir, stats.uid)
    if (foreign !== null) throw new CliError(foreign.problem, { exitCode: exitCodes.usage, remedy: foreign.remedy })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return stats.mode
  })
  // It contains password hashes, the sealing key and private papers.
  if ((mode & 0o077) !== 0)
    throw new CliError(`other users of this machine can read the data directory ${dataDir}`, {
      exitCode: exitCodes.usage,
      remedy: `Fix: chmod 700 ${quote(dataDir)}`,
    })
  if (!(await isHalfRestored(dataDir))) return
  throw new CliError(`a restore into ${dataDir} was interrupted`, {
    exitCode: exitCodes.usage,
    remedy: `Finish it: ${commandFor(dataDir, 'restore FILE --replace')}. No data was removed.`,
  })
}

async function explainErrors<Result>(dataDir: string, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new CliError(explain(dataDir, code), { exitCode: exitCodes.usage, remedy: remedyFor(dataDir, code) })
  }
}

function explain(dataDir: string, code: string): string {
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${dataDir} is not a directory`
  if (code === 'EROFS') return `${dataDir} is on a read-only file system`
  if (code === 'ENOSPC') return `no space left on the disk of ${dataDir}`
  const user = `uid ${process.getuid?.() ?? '?'}`
  return existsSync(dataDir)
    ? `${dataDir} is not writable by ${user}`
    : `${dataDir} does not exist, and ${user} cannot create it`
}

function remedyFor(dataDir: string, code: string): string {
  const user = process.getuid?.() ?? 'USER'
  if (code === 'EROFS' && existsSync(dataDir)) return remountRemedy
  if (code !== 'EACCES' && code !== 'EPERM') return 'Choose another directory with --data DIR.'
  return existsSync(dataDir)
    ? `Fix: chown -R ${user} ${quote(dataDir)}, or choose another directory with --data DIR.`
    : `Create it: sudo install -d -m 700 -o ${user} ${quote(dataDir)}. Or choose another directory with --data DIR.`
}
