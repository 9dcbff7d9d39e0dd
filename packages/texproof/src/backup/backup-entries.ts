/**
 * What a backup holds, in this order. Nothing else is read from one: a name that is not of these forms cannot lead out of
 * the folder it is restored to, nor put anything there that a host obeys.
 */

/** Says what the backup is. The first entry. */
export const headEntry = 'texproof-backup.json'
export const databaseEntry = 'texproof.db'
/** The SHA-256 of every entry before it, as `sha256sum` writes them: `sha256sum --check` reads it. The last entry. */
export const sumsEntry = 'SHA256SUMS'

const repository = '(?:HEAD|config|packed-refs)'
const looseObject = 'objects/[0-9a-f]{2}/(?:[0-9a-f]{38}|[0-9a-f]{62})'
const pack = 'objects/pack/pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\\.(?:pack|idx)'

const forms: readonly RegExp[] = [
  /^(?:texproof\.db|sealing\.key|texproof\.toml)$/,
  new RegExp(`^repositories/[0-9a-f]{2}/[1-9][0-9]{0,14}\\.git/(?:${repository}|${looseObject}|${pack})$`),
  /^cache\/pdf\/[0-9a-f]{2}\/[0-9a-f]{64}\.pdf$/,
]

/** Whether an entry may lie between the first and the last. */
export function isContentEntry(name: string): boolean {
  return forms.some((form) => form.test(name))
}

/** An untrusted name, for a message. */
export function showName(name: string): string {
  return JSON.stringify(name.slice(0, 200))
}
