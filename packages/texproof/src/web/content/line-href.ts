import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { figureKind, isSvg } from './file-kind.ts'
import { isBibliography } from './bibliography/find-bibliography.ts'
import { isMarkdown } from './markdown/markdown-file.ts'
import { isNotebook } from './notebook/find-notebook.ts'
import { isValueTable } from './table/read-table.ts'
import { startOfPart } from './source/source-part.ts'

/** Address of a line of a file; for rendered files, of their source view. */
export function lineHref(
  repository: Repository,
  refName: string,
  { path, line }: { readonly path: string; readonly line: number },
): string {
  const start = startOfPart(line)
  const query = new URLSearchParams({
    ...(isRendered(path) ? { view: 'source' } : {}),
    ...(start === 1 ? {} : { from: String(start) }),
  })
  const address = `${repositoryPath(repository)}/blob/${encodePath(refName)}/${encodePath(path)}`
  return `${address}${query.size === 0 ? '' : `?${query}`}#L${line}`
}

function isRendered(path: string): boolean {
  const isImage = isSvg(path) || figureKind(path) === 'eps'
  return isImage || isMarkdown(path) || isValueTable(path) || isBibliography(path) || isNotebook(path)
}
