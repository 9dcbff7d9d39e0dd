/** What one user may use of a host. */
export interface Quotas {
  /** Repositories that the user owns. */
  readonly repositories: number
  /** Bytes on disk of the git repositories that the user owns. */
  readonly storageBytes: number
  /** Minutes in which builds of the user's repositories ran, in 24 hours. */
  readonly buildMinutes: number
  /** Pushes by the user at a time. */
  readonly concurrentPushes: number
}
