/**
 * "Confirm that it is you": required before a form that could lock the owner out of an account or grant access to it.
 * The page contains the fields of the form and submits them afterwards. Not required within 15 minutes of sign-in or
 * of the last confirmation.
 */
import type { Context } from 'hono'

import { confirmOwner, isRecentlyConfirmed } from '../../accounts/credentials/confirm-owner.ts'
import type { Confirmation } from '../../accounts/credentials/confirm-owner.ts'
import type { SecondFactorProof } from '../../accounts/second-factor/pending-sign-in.ts'
import type { Deps } from '../../operations/deps.ts'
import { noProblems } from '../ui/form/form-problems.ts'
import { reauthenticationFields, sendReauthenticationPage } from './reauthentication-page.ts'
import { readProof } from '../session/read-proof.ts'
import { retryAfter } from '../session/retry-after.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'

/** Requires reauthentication: null if it is recent, otherwise the page that asks for it. */
export async function reauthenticate(c: Context, deps: Deps): Promise<Response | null> {
  const { user, session } = requireViewer(c)
  if (isRecentlyConfirmed(session)) return null
  const proof = await readProof(c, deps, reauthenticationFields)
  if (proof === null) return sendReauthenticationPage(c, deps, { problems: noProblems })
  const { address } = clientOf(c)
  const { store, config } = deps
  const confirmation = await confirmOwner({ store, dataDir: config.dataDir }, { user, session, proof, address })
  return confirmation.kind === 'confirmed' ? null : sendReauthenticationPage(c, deps, refuse(c, confirmation, proof))
}

function refuse(c: Context, confirmation: Exclude<Confirmation, { kind: 'confirmed' }>, proof: SecondFactorProof) {
  if (confirmation.kind === 'throttled')
    return { problems: { form: retryAfter(c, confirmation.waitMs) }, status: 429 } as const
  if (proof.kind === 'passkey')
    return { problems: { form: 'This passkey is not registered to your account, or the request timed out.' } }
  return { problems: { [reauthenticationFields.text]: 'Incorrect password or code.' } }
}
