import { parseRepositoryName } from '../../domain/names.ts'

/** The name of the file without its suffix, as far as a repository can have it. */
export function suggestRepositoryName(fileName: string): string {
  const stem = fileName.replace(/(?:\.tar)?\.[A-Za-z0-9]+$/, '')
  const name = stem
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 100)
  return parseRepositoryName(name) ?? ''
}
