/**
 * A secret that the browser keeps between two steps of a sign-in, or between the challenge and the response of a
 * passkey.
 */
export interface StepSecret {
  readonly secret: string
  readonly maxAgeS: number
}
