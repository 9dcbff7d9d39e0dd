import { parseSize } from '../../config/parse-values.ts'
import { quotaFields, type QuotaField } from '../../domain/quota-fields.ts'
import type { QuotaOverrides } from '../../domain/quotas.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** The limits that an administrator typed. Empty and absent fields = the limit of the host. */
export type QuotaParse =
  | { readonly kind: 'parsed'; readonly overrides: QuotaOverrides }
  | { readonly kind: 'invalid'; readonly fields: readonly QuotaField[] }

/** Parses limits. */
export function parseQuotas(textOf: (field: QuotaField) => string): QuotaParse {
  const read = quotaFields.map((field) => ({ field, text: textOf(field).trim() }))
  const values = read.map(({ field, text }) => ({ field, value: text === '' ? null : parseValue(field, text) }))
  const invalid = values.filter(({ value }) => value === undefined).map(({ field }) => field)
  if (invalid.length > 0) return { kind: 'invalid', fields: invalid }
  const valueOf = (name: QuotaField['name']): number | null =>
    values.find(({ field }) => field.name === name)?.value ?? null
  return {
    kind: 'parsed',
    overrides: {
      repositories: valueOf('repositories'),
      storageBytes: valueOf('storageBytes'),
      buildMinutes: valueOf('buildMinutes'),
      concurrentPushes: valueOf('concurrentPushes'),
    },
  }
}

/** Sets the limits of one user. */
export async function setQuota(
  store: Store,
  {
    user,
    overrides,
    actorId,
  }: { readonly user: User; readonly overrides: QuotaOverrides; readonly actorId: string | null },
): Promise<void> {
  await store.quotas.setOverrides(user.id, overrides)
  await store.events.add({ kind: 'quota-changed', userId: user.id, actorId })
}

/** Returns undefined for invalid text. */
function parseValue({ name }: QuotaField, text: string): number | undefined {
  if (name === 'storageBytes') return parseSize(text) ?? undefined
  const isCount = name === 'concurrentPushes' ? /^[1-9]\d{0,3}$/ : /^\d{1,9}$/
  return isCount.test(text) ? Number(text) : undefined
}
