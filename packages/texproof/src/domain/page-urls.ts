import type { Repository } from './types.ts'

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

/** Which page of a document, and of which PDF: with the PDF's id in the address, the picture is kept for ever. */
export interface PictureAddress {
  readonly document: string | null
  /** 1 = the first. */
  readonly page: number
  /** One of `pictureWidths`. */
  readonly widthPx: number
  /** null = whatever the ref shows when it is asked for. */
  readonly pdfId: string | null
}

/** Path of the picture of a page. */
export function picturePath(
  repository: Repository,
  ref: string,
  { document, page, widthPx, pdfId }: PictureAddress,
): string {
  const query = new URLSearchParams({ page: String(page), width: String(widthPx) })
  if (document !== null) query.set('doc', document)
  if (pdfId !== null) query.set('v', pdfId.slice(0, 16))
  return `${repositoryPath(repository)}/picture/${encodePath(ref)}.png?${query}`
}

/** Path of the badge that tells how a ref stands. */
export function badgePath(repository: Repository, ref: string): string {
  return `${repositoryPath(repository)}/badge/${encodePath(ref)}.svg`
}

/** Path of the files of a branch, a tag or a commit as one archive. */
export function archivePath(repository: Repository, ref: string, format: 'zip' | 'tar.gz'): string {
  return `${repositoryPath(repository)}/archive/${encodePath(ref)}.${format}`
}

/** Path of the page of a build. */
export function buildPath(repository: Repository, number: number): string {
  return `${repositoryPath(repository)}/builds/${number}`
}

/** A `/`-separated name as part of a URL: every segment escaped, the slashes kept. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
