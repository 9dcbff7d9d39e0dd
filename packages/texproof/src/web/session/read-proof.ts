import type { Context } from 'hono'

import { findPasskeyParty } from '../../accounts/passkeys/passkey-party.ts'
import type { SecondFactorProof } from '../../accounts/second-factor/pending-sign-in.ts'
import type { Deps } from '../../operations/deps.ts'
import { readField } from './form.ts'
import { clearStepCookie, readStepCookie } from './cookies.ts'

/** The code, password or passkey in a form; null without any. */
export async function readProof(
  c: Context,
  { config }: Pick<Deps, 'config'>,
  fields: { readonly text: string; readonly credential: string },
): Promise<SecondFactorProof | null> {
  const [text, credential] = [readField(c, fields.text), readField(c, fields.credential)]
  const party = findPasskeyParty(config.baseUrl)
  if (credential !== '' && party !== null) {
    const secret = readStepCookie(c, 'passkey')
    clearStepCookie(c, 'passkey')
    return { kind: 'passkey', party, secret, credential }
  }
  return text === '' ? null : { kind: 'text', text }
}
