import { createHash } from 'node:crypto'

import { getSealingKey, saveSealingKey, sealingKeyFile } from '../../base/sealing-key.ts'
import type { Config } from '../../config/read-config.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

const setting = 'sealing.fingerprint'

/**
 * Saves the configured key in the data directory. All machines of a PostgreSQL database must have the same key: without
 * it, they cannot read each other's secrets.
 *
 * @throws CliError if the key differs from that of the data directory or of the database.
 */
export async function useSealingKey(
  { dataDir, databaseUrl, sealingKey }: Pick<Config, 'dataDir' | 'databaseUrl' | 'sealingKey'>,
  settings: Pick<Store['settings'], 'add' | 'find'>,
): Promise<void> {
  if (sealingKey !== null && !(await saveSealingKey(dataDir, sealingKey)))
    throw new CliError(`sealing_key differs from ${dataDir}/${sealingKeyFile}`, {
      exitCode: exitCodes.usage,
      remedy: 'Configure the key in that file. No other key can decrypt the secrets of this host.',
    })
  if (databaseUrl === null) return
  const fingerprint = createHash('sha256')
    .update(await getSealingKey(dataDir))
    .digest('hex')
    .slice(0, 16)
  if (await settings.add(setting, fingerprint)) return
  if ((await settings.find(setting)) === fingerprint) return
  throw new CliError(
    `the secrets in the database are encrypted with a different key than ${dataDir}/${sealingKeyFile}`,
    {
      exitCode: exitCodes.usage,
      remedy: 'Set TEXPROOF_SEALING_KEY to the key of the first machine, and remove this file if this machine is new.',
    },
  )
}
