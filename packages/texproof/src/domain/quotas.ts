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

/** Limits that an administrator has set for one user; null = the limit of the host. */
export type QuotaOverrides = { readonly [Name in keyof Quotas]: number | null }

/** The limits of one user. */
export function mergeQuotas(defaults: Quotas, overrides: QuotaOverrides): Quotas {
  return {
    repositories: overrides.repositories ?? defaults.repositories,
    storageBytes: overrides.storageBytes ?? defaults.storageBytes,
    buildMinutes: overrides.buildMinutes ?? defaults.buildMinutes,
    concurrentPushes: overrides.concurrentPushes ?? defaults.concurrentPushes,
  }
}
