/**
 * "Confirm that it is you", before a form does what would keep the owner of an account out, or give their rights away.
 * The form is not lost: the page that asks carries its fields, and sends them on to where they were going. Whoever
 * signed in or was asked within 15 minutes is not asked.
 */
import type { Context } from 'hono'

import { confirmOwner, isOwnerSure } from '../../accounts/credentials/confirm-owner.ts'
import type { Confirmation } from '../../accounts/credentials/confirm-owner.ts'
import type { SecondFactorProof } from '../../accounts/second-factor/pending-sign-in.ts'
import type { Deps } from '../../operations/deps.ts'
import { noProblems } from '../ui/form/form-problems.ts'
import { reauthenticationFields, sendReauthenticationPage } from './reauthentication-page.ts'
import { readProof } from '../session/read-proof.ts'
import { retryAfter } from '../session/retry-after.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'

/** Makes sure that the owner of the account sits there: null when it is so, else the page that asks. */
export async function reauthenticate(c: Context, deps: Deps): Promise<Response | null> {
  const { user, session } = requireViewer(c)
  if (isOwnerSure(session)) return null
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
    return { problems: { form: 'This passkey is none of yours, or took more than 5 minutes.' } }
  return { problems: { [reauthenticationFields.text]: 'This is neither your password nor a code that works.' } }
}
