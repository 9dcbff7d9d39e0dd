/** A setting that cannot be used: what and where in `message`, what to do in `remedy`. */
export class ConfigError extends Error {
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.name = 'ConfigError'
    this.remedy = remedy
  }
}
