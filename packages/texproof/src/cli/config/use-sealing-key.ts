import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { unsealWithKey } from '../../base/sealing/seal-text.ts'
import { findSealingKey, getSealingKey, saveSealingKey, sealingKeyFile } from '../../base/sealing/sealing-key.ts'
import { commandFor } from '../../config/command-line.ts'
import type { OwnerProblem } from '../../config/foreign-owner.ts'
import type { Config } from '../../config/read-config.ts'
import type { SealedSecret } from '../../store/admin/sealed-secrets.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** Key of the host setting with the fingerprint of the sealing key. */
export const sealingFingerprintKey = 'sealing.fingerprint'

type KeyPlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'sealingKey'>

/**
 * Checks that the key matches the database: another key cannot decrypt its secrets, and would encrypt new ones. All
 * machines of a PostgreSQL database must have the same key. Saves the configured key in the data directory.
 *
 * @throws CliError if the key is missing, or differs from the key of the data directory or of the database.
 */
export async function useSealingKey(
  place: KeyPlace,
  { settings, sealedSecrets }: Pick<Store, 'settings' | 'sealedSecrets'>,
): Promise<void> {
  const { dataDir, databaseUrl, sealingKey } = place
  // Before the key, which exists if there is a fingerprint: another process may be creating both.
  const known = await settings.find(sealingFingerprintKey)
  const key = await findKey(place)
  if (sealingKey !== null && key?.toString('hex') !== sealingKey)
    throw refuse({
      problem: `sealing_key differs from ${join(dataDir, sealingKeyFile)}`,
      remedy: 'Configure the key in that file. No other key can decrypt the secrets of this host.',
    })
  const isRight = known === null ? opensAny(await sealedSecrets.listNewest(), key) : hasFingerprint(key, known)
  if (!isRight) throw refuse(await describeWrongKey(place))
  // On one machine, the first secret creates the key.
  if (key === null && databaseUrl === null) return
  if (sealingKey !== null) await saveSealingKey(dataDir, sealingKey)
  if (known !== null) return
  const fingerprint = fingerprintOf(await getSealingKey(dataDir))
  const isNew = await settings.add(sealingFingerprintKey, fingerprint)
  if (!isNew && (await settings.find(sealingFingerprintKey)) !== fingerprint)
    throw refuse(await describeWrongKey(place))
}

/** Why the key does not have the fingerprint that the database stores; null if it has. */
export async function explainWrongKey(place: KeyPlace, known: string): Promise<OwnerProblem | null> {
  return hasFingerprint(await findKey(place), known) ? null : describeWrongKey(place)
}

/** Makes the database accept the current or configured key, or creates one. Secrets of another key stay unreadable. */
export async function resetSealingKey(
  { dataDir, sealingKey }: KeyPlace,
  settings: Pick<Store['settings'], 'set'>,
): Promise<void> {
  if (sealingKey !== null) await saveSealingKey(dataDir, sealingKey)
  await settings.set(sealingFingerprintKey, fingerprintOf(await getSealingKey(dataDir)))
}

/** The text that identifies a key in the database. */
function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}

function hasFingerprint(key: Buffer | null, known: string): boolean {
  return key !== null && fingerprintOf(key) === known
}

function refuse({ problem, remedy }: OwnerProblem): CliError {
  return new CliError(problem, { exitCode: exitCodes.usage, remedy })
}

async function findKey({ dataDir, sealingKey }: KeyPlace): Promise<Buffer | null> {
  return (await findSealingKey(dataDir)) ?? (sealingKey === null ? null : Buffer.from(sealingKey, 'hex'))
}

/** Whether a key opens one of the secrets, or there are none. Hosts of earlier versions have no fingerprint. */
function opensAny(secrets: readonly SealedSecret[], key: Buffer | null): boolean {
  if (secrets.length === 0) return true
  return key !== null && secrets.some(({ sealed, purpose }) => unsealWithKey(sealed, { key, purpose }) !== null)
}

async function describeWrongKey({ dataDir, databaseUrl, sealingKey }: KeyPlace): Promise<OwnerProblem> {
  const path = join(dataDir, sealingKeyFile)
  const isSaved = (await findSealingKey(dataDir)) !== null
  const problem =
    isSaved || sealingKey !== null
      ? `the secrets in the database are encrypted with a different key than ${isSaved ? path : 'sealing_key'}`
      : `the key of the secrets in the database is missing: ${path}`
  if (databaseUrl !== null)
    return {
      problem,
      remedy: `Set TEXPROOF_SEALING_KEY to the key of the first machine${isSaved ? ', and remove this file if this machine is new' : ''}.`,
    }
  return {
    problem,
    remedy: `Restore sealing.key from a backup. To continue without these secrets: ${commandFor(dataDir, 'sealing-key reset')}`,
  }
}
