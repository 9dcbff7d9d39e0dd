import { parseRepositoryName } from '../../domain/names.ts'
import { normalizeText } from '../../domain/text/normalize-text.ts'

/** Maximum length of the input; only the end of longer names is used. */
const MAX_LENGTH = 300

/** The name of the file without its suffix, as far as a repository can have it. */
export function suggestRepositoryName(fileName: string): string {
  const stem = fileName.slice(-MAX_LENGTH).replace(/(?:\.tar)?\.[A-Za-z0-9]+$/, '')
  const name = normalizeText(stem, 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 100)
  return parseRepositoryName(name) ?? ''
}
