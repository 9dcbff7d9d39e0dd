/** A text in which no line ends between a number and its noun: `14 pages, 3 warnings`. */
export function keepCounts(text: string): string {
  return text.replaceAll(/(?<=\d) (?=\p{L})/gu, '\u{a0}')
}
