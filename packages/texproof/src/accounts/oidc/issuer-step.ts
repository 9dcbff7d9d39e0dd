/**
 * State that the browser keeps during a sign-in at the identity provider, and until the user has chosen a username. It
 * is sealed with the key of the data directory, so that it can be neither read nor changed, and any instance can open
 * it.
 */
import { z } from 'zod'

import { sealText, unsealText } from '../../base/sealing/seal-text.ts'

const lifeMs = 10 * 60_000

const requestForm = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Path of this host to which the browser is redirected afterwards. */
  next: z.string(),
  /** The account to link; null = a sign-in. */
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

/** A pending sign-in at the identity provider. */
export type PendingRequest = Omit<z.infer<typeof requestForm>, 'endsAt'>
/** A person authenticated by the identity provider who has no account here yet. */
export type PendingPerson = Omit<z.infer<typeof personForm>, 'endsAt'>

/** The cookie for the browser. */
export interface SealedStep {
  readonly secret: string
  readonly maxAgeS: number
}

/** Seals a pending sign-in for ten minutes. */
export function sealRequest(dataDir: string, request: PendingRequest): Promise<SealedStep> {
  return seal(request, { dataDir, purpose: 'oidc-request' })
}

/** Opens a pending sign-in; null if it expired or was not sealed by this host. */
export function openRequest(dataDir: string, secret: string): Promise<PendingRequest | null> {
  return open(secret, requestForm, { dataDir, purpose: 'oidc-request' })
}

/** Seals a person who has yet to choose a username, for ten minutes. */
export function sealPerson(dataDir: string, person: PendingPerson): Promise<SealedStep> {
  return seal(person, { dataDir, purpose: 'oidc-person' })
}

/** Opens a sealed person; null if it expired or was not sealed by this host. */
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
  // Sealed by another program version.
  if (!parsed.success) return null
  const { endsAt, ...content } = parsed.data
  return endsAt > Date.now() ? content : null
}
