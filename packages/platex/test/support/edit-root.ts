/** The files of a document with a letter added to a word of `main.tex`, about `share` of the way through its text. */
export function editRoot(files: ReadonlyMap<string, Uint8Array>, share: number): ReadonlyMap<string, Uint8Array> {
  const text = Buffer.from(files.get('main.tex') ?? []).toString('latin1')
  const start = Math.max(0, text.indexOf('\\begin{document}'))
  const words = [...text.slice(start).matchAll(/(?<= )[a-z]{3,}(?=[ .,])/g)]
  const word = words[Math.floor(share * words.length)]
  const at = word === undefined ? text.length : start + word.index + word[0].length
  return new Map([...files, ['main.tex', Buffer.from(`${text.slice(0, at)}x${text.slice(at)}`, 'latin1')]])
}
