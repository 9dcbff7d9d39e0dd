const BRACKET = 0x5b

/**
 * Watches standard output for pages: TeX prints `[12` as it ships page 12.
 *
 * Calls back with how many pages there are so far, once a chunk: a document can print a million brackets of its own. So
 * the count is for a progress bar and nothing else.
 */
export function countPages(onPage: (page: number) => void): (chunk: Uint8Array) => void {
  let isAfterBracket = false
  let pages = 0
  return (chunk) => {
    const pagesBefore = pages
    if (isAfterBracket && isDigit(chunk[0])) pages += 1
    for (let at = chunk.indexOf(BRACKET); at !== -1; at = chunk.indexOf(BRACKET, at + 1)) {
      if (isDigit(chunk[at + 1])) pages += 1
    }
    isAfterBracket = chunk.at(-1) === BRACKET
    if (pages > pagesBefore) onPage(pages)
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}
