/** More than any language has: the limit of stream-safe text in Unicode Standard Annex 15. */
const MARKS_IN_A_ROW = /\p{M}{31}/u

/**
 * Normalizes a text typed by a user. With more combining marks in a row than any language has, it stays as it is:
 * normalization sorts them in the square of their number, which takes seconds for 100 kB.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKD' = 'NFC'): string {
  return MARKS_IN_A_ROW.test(text) ? text : text.normalize(form)
}
