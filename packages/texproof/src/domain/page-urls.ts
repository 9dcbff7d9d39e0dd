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

/** The page with the number of words of a document. */
export function wordCountPath(repository: Repository, ref: string, document: string | null): string {
  return `${repositoryPath(repository)}/words/${encodePath(ref)}${document === null ? '' : `?doc=${encodeURIComponent(document)}`}`
}

/** Path of the PDF file of that document. */
export function pdfFilePath(repository: Repository, ref: string, document: string | null): string {
  const query = document === null ? '' : `?doc=${encodeURIComponent(document)}`
  return `${repositoryPath(repository)}/pdf/${encodePath(ref)}.pdf${query}`
}

/** A page of a document. With the id of the PDF in the address, the image can be cached forever. */
export interface PictureAddress {
  readonly document: string | null
  /** 1 = the first. */
  readonly page: number
  /** One of `pictureWidths`. */
  readonly widthPx: number
  /** null = the PDF that the ref shows at the time of the request. */
  readonly pdfId: string | null
}

/** Path of the image of a page. */
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

/** Path of the badge with the status of a ref. */
export function badgePath(repository: Repository, ref: string): string {
  return `${repositoryPath(repository)}/badge/${encodePath(ref)}.svg`
}

/** Path of the page that brings back a file or folder as it was at a commit; `''` = the whole project. */
export function restorePath(repository: Repository, commitId: string, path: string): string {
  return `${repositoryPath(repository)}/restore/${commitId}${path === '' ? '' : `/${encodePath(path)}`}`
}

/** Path of the build settings of a branch. */
export function buildSettingsPath(repository: Repository, branch: string): string {
  return `${repositoryPath(repository)}/build-settings/${encodePath(branch)}`
}

/** Path of the form that creates a repository from a template. */
export function newFromPath({ owner, name }: Repository): string {
  return `/new?paper=${owner.login}/${name}`
}

/** Path of an archive of the files of a branch, tag or commit. */
export function archivePath(repository: Repository, ref: string, format: 'zip' | 'tar.gz'): string {
  return `${repositoryPath(repository)}/archive/${encodePath(ref)}.${format}`
}

/** Path of the page of a build. */
export function buildPath(repository: Repository, number: number): string {
  return `${repositoryPath(repository)}/builds/${number}`
}

/** Encodes a `/`-separated name as part of a URL, keeping the slashes. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
