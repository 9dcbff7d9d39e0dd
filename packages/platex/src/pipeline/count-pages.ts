/**
 * Watches standard output for pages: TeX prints `[12` as it ships page 12.
 *
 * Calls back with how many pages there are so far. A document can print brackets of its own, so the count is for a
 * progress bar and nothing else.
 */
export function countPages(onPage: (page: number) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder('latin1')
  let isAfterBracket = false
  let pages = 0
  return (chunk) => {
    for (const character of decoder.decode(chunk)) {
      if (isAfterBracket && character >= '0' && character <= '9') onPage((pages += 1))
      isAfterBracket = character === '['
    }
  }
}
