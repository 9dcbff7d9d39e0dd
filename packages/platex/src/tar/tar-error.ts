/** A tar archive that cannot be read, or that programs would read differently. The message is for the user. */
export class TarError extends Error {
  override readonly name = 'TarError'
}

/** The error for an archive that cannot be read. */
export function damagedTar(why: string): TarError {
  return new TarError(`The tar file is damaged: ${why}. Create it again, or download it again.`)
}

/** A name from an archive in a message: short, on one line, without control characters. */
export function shorten(name: string): string {
  const visible = showInvisible(name)
  return visible.length <= 80 ? visible : `${visible.slice(0, 79)}…`
}

/** Replaces the invisible characters of a message that contains a name. */
export function showInvisible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}
