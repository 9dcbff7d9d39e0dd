/** An invalid setting: `message` says what and where, `remedy` what to do. */
export class ConfigError extends Error {
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.name = 'ConfigError'
    this.remedy = remedy
  }
}
