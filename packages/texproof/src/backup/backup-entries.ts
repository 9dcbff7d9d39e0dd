/**
 * The entries of a backup, in this order. Others are refused, so no entry can be restored outside of the target folder,
 * or to a file that a host executes or obeys.
 */

/** Describes the backup. The first entry. */
export const headEntry = 'texproof-backup.json'
export const databaseEntry = 'texproof.db'
/** The SHA-256 of every other entry, for `sha256sum --check`. The last entry. */
export const sumsEntry = 'SHA256SUMS'
/**
 * Only beside the entries of an incremental backup: the names of those that were damaged when it was made. The next backup
 * does not share them.
 */
export const damagedList = 'DAMAGED'

const repository = '(?:HEAD|config|packed-refs)'
const looseObject = 'objects/[0-9a-f]{2}/(?:[0-9a-f]{38}|[0-9a-f]{62})'
const pack = 'objects/pack/pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\\.(?:pack|idx)'

const forms: readonly RegExp[] = [
  /^(?:texproof\.db|sealing\.key|texproof\.toml)$/,
  new RegExp(`^repositories/[0-9a-f]{2}/[1-9][0-9]{0,14}\\.git/(?:${repository}|${looseObject}|${pack})$`),
  /^cache\/pdf\/[0-9a-f]{2}\/[0-9a-f]{64}\.pdf$/,
]

/** Whether the name of an entry agrees with the SHA-256 of its content (hex). Only PDFs are named after theirs. */
export function isNamedAfter(name: string, sum: string): boolean {
  return !name.startsWith('cache/pdf/') || name.endsWith(`/${sum}.pdf`)
}

/** Whether an entry may be between the first and the last. */
export function isContentEntry(name: string): boolean {
  return forms.some((form) => form.test(name))
}

/** Formats an untrusted name for a message. */
export function showName(name: string): string {
  return JSON.stringify(name.slice(0, 200))
}
