import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

const maxLength = 20_000
const base64url = z.string().regex(/^[\w-]+$/)
const shell = { id: base64url, rawId: base64url, type: z.literal('public-key') }

const newCredential = z.object({
  ...shell,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .default([]),
  }),
})

const assertion = z.object({
  ...shell,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
})

/** Parses the JSON of a new passkey from a browser; null if it is invalid. */
export function parseNewCredential(text: string): RegistrationResponseJSON | null {
  const parsed = newCredential.safeParse(readJson(text))
  return parsed.success ? { ...parsed.data, clientExtensionResults: {} } : null
}

/** Parses the JSON of an assertion from a browser; null if it is invalid. */
export function parseAssertion(text: string): AuthenticationResponseJSON | null {
  const parsed = assertion.safeParse(readJson(text))
  if (!parsed.success) return null
  const { userHandle, ...response } = parsed.data.response
  const handle = userHandle === null || userHandle === undefined ? {} : { userHandle }
  return { ...parsed.data, response: { ...response, ...handle }, clientExtensionResults: {} }
}

function readJson(text: string): unknown {
  if (text.length > maxLength) return null
  try {
    return JSON.parse(text)
  } catch {
    // Invalid JSON is an invalid credential; the form reports it.
    return null
  }
}
