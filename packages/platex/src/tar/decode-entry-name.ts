/** The upper half of code page 437, in which DOS and Windows write names. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}'

/**
 * Decodes the name of an entry: as UTF-8 if it is valid, because programs often omit the flag of zip, and tar has none;
 * else with `legacy`. A byte that no name in Latin-1 contains becomes U+FFFD: the name is in another encoding.
 */
export function decodeEntryName(bytes: Uint8Array, legacy: 'cp437' | 'latin1'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8. Both legacy encodings accept every byte.
    if (legacy === 'latin1')
      return Buffer.from(bytes)
        .toString('latin1')
        .replaceAll(/[\u{80}-\u{9F}]/gu, '\u{FFFD}')
    return [...bytes].map((byte) => (byte < 0x80 ? String.fromCodePoint(byte) : CP437[byte - 0x80])).join('')
  }
}
