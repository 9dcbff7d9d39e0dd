import type { Repository } from '../domain/types.ts'

const HEADS = 'refs/heads/'

/** Short name of a full ref name: `feature/a` for `refs/heads/feature/a`. */
export function shortRefName(ref: string): string {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref.replace(/^refs\/tags\//, '')
}

/** Path of a repository's pages. */
export function repositoryPath({ owner, name }: Repository): string {
  return `/${owner.login}/${name}`
}

/** Path of the page that shows a document of a branch, tag or commit; `document` null = the first one. */
export function pdfPath(repository: Repository, ref: string, document: string | null): string {
  const query = document === null ? '' : `?doc=${encodeURIComponent(document)}`
  return `${repositoryPath(repository)}/pdf/${encodePath(ref)}${query}`
}

/** Path of the bytes of that document. */
export function pdfFilePath(repository: Repository, ref: string, document: string | null): string {
  const query = document === null ? '' : `?doc=${encodeURIComponent(document)}`
  return `${repositoryPath(repository)}/pdf/${encodePath(ref)}.pdf${query}`
}

/** Path of the page of a build. */
export function buildPath(repository: Repository, number: number): string {
  return `${repositoryPath(repository)}/builds/${number}`
}

/** A `/`-separated name as part of a URL: every segment escaped, the slashes kept. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
