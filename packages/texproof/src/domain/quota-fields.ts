import type { QuotaOverrides, Quotas } from './quotas.ts'

/** A quota in forms and JSON: its key, label and expected value. */
export interface QuotaField {
  readonly name: keyof Quotas
  readonly key: string
  readonly label: string
  readonly expects: string
}

/** The quotas, in display order. */
export const quotaFields: readonly QuotaField[] = [
  { name: 'repositories', key: 'repositories', label: 'Repositories', expects: 'a whole number' },
  { name: 'storageBytes', key: 'storage', label: 'Storage', expects: 'a size, like 500m or 20g' },
  { name: 'buildMinutes', key: 'build_minutes', label: 'Build minutes in 24 hours', expects: 'a whole number' },
  { name: 'concurrentPushes', key: 'concurrent_pushes', label: 'Concurrent pushes', expects: 'a whole number' },
]

/** No limits for the user. */
export const noOverrides: QuotaOverrides = {
  repositories: null,
  storageBytes: null,
  buildMinutes: null,
  concurrentPushes: null,
}
