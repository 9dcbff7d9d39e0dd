/**
 * What a browser keeps while it is away at the issuer, and between the issuer's answer and the choice of a user name:
 * sealed with the key of the data directory, so that nobody reads or changes it and any instance opens it again.
 */
import { z } from 'zod'

import { sealText, unsealText } from '../../base/seal-text.ts'

const lifeMs = 10 * 60_000

const requestForm = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to go after it: a path of this host. */
  next: z.string(),
  /** Whose account is to be linked; null = a sign-in. */
  linksUserId: z.string().nullable(),
  endsAt: z.number(),
})

const personForm = z.object({
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  unprovedEmail: z.string().nullable(),
  username: z.string().nullable(),
  name: z.string().nullable(),
  next: z.string(),
  endsAt: z.number(),
})

/** A sign-in under way at the issuer. */
export type PendingRequest = Omit<z.infer<typeof requestForm>, 'endsAt'>
/** Somebody vouched for who has no account here yet. */
export type PendingPerson = Omit<z.infer<typeof personForm>, 'endsAt'>

/** What the browser is given. */
export interface SealedStep {
  readonly secret: string
  readonly maxAgeS: number
}

/** Seals a sign-in, for ten minutes. */
export function sealRequest(dataDir: string, request: PendingRequest): Promise<SealedStep> {
  return seal(request, { dataDir, purpose: 'oidc-request' })
}

/** The sign-in again; null when it is too old, or none of ours. */
export function openRequest(dataDir: string, secret: string): Promise<PendingRequest | null> {
  return open(secret, requestForm, { dataDir, purpose: 'oidc-request' })
}

/** Seals somebody who has yet to choose a user name, for ten minutes. */
export function sealPerson(dataDir: string, person: PendingPerson): Promise<SealedStep> {
  return seal(person, { dataDir, purpose: 'oidc-person' })
}

/** The person again; null when that was too long ago, or none of ours. */
export function openPerson(dataDir: string, secret: string): Promise<PendingPerson | null> {
  return open(secret, personForm, { dataDir, purpose: 'oidc-person' })
}

interface Place {
  readonly dataDir: string
  readonly purpose: string
}

async function seal(content: object, place: Place): Promise<SealedStep> {
  const secret = await sealText(JSON.stringify({ ...content, endsAt: Date.now() + lifeMs }), place)
  return { secret, maxAgeS: lifeMs / 1000 }
}

async function open<Content extends { readonly endsAt: number }>(
  secret: string,
  form: z.ZodType<Content>,
  place: Place,
): Promise<Omit<Content, 'endsAt'> | null> {
  const text = secret === '' ? null : await unsealText(secret, place)
  if (text === null) return null
  const parsed = form.safeParse(JSON.parse(text))
  // Sealed by another version of the program.
  if (!parsed.success) return null
  const { endsAt, ...content } = parsed.data
  return endsAt > Date.now() ? content : null
}
