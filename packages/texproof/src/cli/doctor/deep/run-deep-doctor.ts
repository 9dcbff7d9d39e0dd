import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { openParsers } from '../../../base/open-parsers.ts'
import { openBucket } from '../../../bucket/open-bucket.ts'
import { makeFolderDurably } from '../../../base/durable-file.ts'
import type { Config } from '../../../config/read-config.ts'
import { commandFor } from '../../../config/command-line.ts'
import { openGitStore } from '../../../git/open-git-store.ts'
import { countOf } from '../../../papers/push/describe-push.ts'
import { lockDataDir } from '../../../store/sqlite/data-dir-lock.ts'
import { openDatabaseFile, type DatabaseFile } from '../../../store/sqlite/database-file.ts'
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import { say } from '../../say.ts'
import type { Finding } from '../finding.ts'
import { checkPdfs } from './check-pdfs.ts'
import { checkRepositories } from './check-repositories.ts'
import type { DeepFinding } from './deep-finding.ts'

/** `check` changes nothing, `plan` lists the repairs, `repair` executes them. */
export type DeepMode = 'check' | 'plan' | 'repair'

type CheckedPlace = Pick<Config, 'bucket' | 'dataDir'>

/** Options of a run. */
interface DeepOptions {
  /** Stops it between two repositories or PDFs. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Compares database, refs, objects and PDFs of an existing host.
 *
 * @throws CliError if repairs are requested while a server uses the data directory.
 */
export async function runDeepDoctor(
  config: Pick<Config, 'bucket' | 'dataDir' | 'databaseUrl'>,
  mode: DeepMode,
  options: DeepOptions = {},
): Promise<readonly Finding[]> {
  const { dataDir, databaseUrl } = config
  const path = join(dataDir, 'texproof.db')
  const lock = mode === 'repair' ? lockDataDir(dataDir, { pid: process.pid, url: 'texproof doctor' }) : null
  if (mode === 'repair' && lock === null)
    throw new CliError(`a server is using ${dataDir}`, {
      exitCode: exitCodes.usage,
      remedy: 'Stop the server before the repair. Without --repair, doctor --deep can run at the same time.',
    })
  try {
    if (databaseUrl !== null) return await checkPostgres(databaseUrl, config, { ...options, mode })
    const damage = findDamage(path)
    if (damage !== null) return [damagedDatabase(path, damage, dataDir)]
    return await checkStored(path, config, { ...options, mode })
  } finally {
    lock?.release()
  }
}

/** Compares a copy of the database, which is one moment of it, and what differs with a newer copy. */
async function checkPostgres(
  url: string,
  place: CheckedPlace,
  options: DeepOptions & { readonly mode: DeepMode },
): Promise<readonly Finding[]> {
  const { dataDir } = place
  const { signal } = options
  const { snapshotPostgres } = await import('../../../store/postgres/snapshot-postgres.ts')
  await makeFolderDurably(join(dataDir, 'tmp'))
  const folder = await mkdtemp(join(dataDir, 'tmp', 'doctor-'))
  try {
    const copy = join(folder, 'texproof.db')
    await snapshotPostgres(url, copy, { signal })
    let count = 0
    const readAgain = async (): Promise<string> => {
      count += 1
      const newer = join(folder, `newer-${count}.db`)
      await snapshotPostgres(url, newer, { signal })
      return newer
    }
    return await checkStored(copy, place, { ...options, readAgain })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkStored(
  path: string,
  { bucket, dataDir }: CheckedPlace,
  {
    mode,
    signal,
    readAgain,
  }: DeepOptions & {
    readonly mode: DeepMode
    /** Makes a newer copy and returns its path, if this is a copy. */
    readonly readAgain?: () => Promise<string>
  },
): Promise<readonly Finding[]> {
  const opened: DatabaseFile[] = []
  const open = (file: string): DatabaseFile => {
    const database = openDatabaseFile(file)
    opened.push(database)
    return database
  }
  const database = open(path)
  const host = { dataDir, database, readAgain: readAgain && (async () => open(await readAgain())), signal }
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  const parsers = openParsers()
  try {
    const found = [
      ...(await checkRepositories({ ...host, git, parsers })),
      ...(await checkPdfs({ ...host, bucket: bucket === null ? null : openBucket(bucket) })),
    ]
    signal?.throwIfAborted()
    if (found.length > 0) return await Promise.all(found.map((finding) => repair(finding, mode)))
    const { repositories } = database.count()
    const message = `database, refs, objects and PDFs of ${countOf(repositories, 'repository', 'repositories')} agree`
    return [{ check: 'deep', state: 'good', message, remedy: null }]
  } finally {
    await parsers.close()
    await git.close()
    for (const each of opened) each.close()
  }
}

async function repair({ repair: change, ...finding }: DeepFinding, mode: DeepMode): Promise<Finding> {
  if (change === null) return finding
  if (mode === 'check') return { ...finding, remedy: `texproof doctor --repair: ${change.title}` }
  if (mode === 'plan') return { ...finding, remedy: `would ${change.title}` }
  await change.run()
  say(`  ${change.title}`)
  return { ...finding, state: 'good', message: `${finding.message}: repaired`, remedy: null }
}

function findDamage(path: string): string | null {
  let database: DatabaseFile | null = null
  try {
    database = openDatabaseFile(path)
    return database.findDamage()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    database?.close()
  }
}

function damagedDatabase(path: string, damage: string, dataDir: string): Finding {
  const remedy = `Restore a backup: ${commandFor(dataDir, 'restore FILE')}`
  return { check: 'database', state: 'broken', message: `${path} is damaged: ${damage}`, remedy }
}
