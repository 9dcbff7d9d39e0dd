/** What a browser keeps between two steps of signing in, or between a question to a passkey and its answer. */
export interface StepSecret {
  readonly secret: string
  readonly maxAgeS: number
}
