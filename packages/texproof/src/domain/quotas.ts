/** Limits of one user on a host. */
export interface Quotas {
  /** Number of repositories that the user owns. */
  readonly repositories: number
  /** Bytes on disk of the git repositories that the user owns. */
  readonly storageBytes: number
  /** Build time of the user's repositories within 24 hours, in minutes. */
  readonly buildMinutes: number
  /** Concurrent pushes by the user. */
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
