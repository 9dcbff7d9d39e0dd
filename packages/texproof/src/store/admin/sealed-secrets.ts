import type { Kysely } from 'kysely'

import { sealPurposes } from '../../base/sealing/seal-purposes.ts'
import type { Schema } from '../schema.ts'

/** A secret that was sealed with the key of the data directory, see `Seal`. */
export interface SealedSecret {
  readonly sealed: string
  readonly purpose: string
}

/** Secrets that the host must read again, of all users and repositories. */
export interface SealedSecrets {
  /** The newest of each kind. */
  listNewest(): Promise<readonly SealedSecret[]>
}

/** Creates the list of a database. */
export function createSealedSecrets(db: Kysely<Schema>): SealedSecrets {
  return {
    async listNewest() {
      const factors = await db
        .selectFrom('second_factor')
        .select(['user_id as userId', 'sealed_secret as sealed'])
        .orderBy('confirmed_at', 'desc')
        .limit(1)
        .execute()
      const webhooks = await db
        .selectFrom('webhook')
        .select(['repository_id as repositoryId', 'sealed_secret as sealed'])
        .orderBy('id', 'desc')
        .limit(1)
        .execute()
      const shareLinks = await db
        .selectFrom('share_link')
        .select(['repository_id as repositoryId', 'sealed'])
        .where('sealed', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1)
        .$narrowType<{ sealed: string }>()
        .execute()
      return [
        ...factors.map(({ sealed, userId }) => ({ sealed, purpose: sealPurposes.secondFactor(userId) })),
        ...webhooks.map(({ sealed, repositoryId }) => ({ sealed, purpose: sealPurposes.webhook(repositoryId) })),
        ...shareLinks.map(({ sealed, repositoryId }) => ({ sealed, purpose: sealPurposes.shareLink(repositoryId) })),
      ]
    },
  }
}
