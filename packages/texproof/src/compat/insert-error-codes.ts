import { errorFamilies } from '../docs/find-error-page.ts'

const PLACE = /(<!-- codes: [^>]*-->\n)[\s\S]*?(<!-- end of codes -->)/

/** Inserts the list of diagnostic codes at its placeholder in a document. */
export function insertErrorCodes(document: string): string {
  const families = errorFamilies.map(({ title, pages }) => {
    const codes = pages.map(({ code, title: meaning }) => `| \`${code}\` | ${meaning.replaceAll('|', '\\|')} |`)
    return [`| ${title} | |`, '| --- | --- |', ...codes].join('\n')
  })
  return document.replace(PLACE, (_place, start: string, end: string) => `${start}\n${families.join('\n\n')}\n\n${end}`)
}
