import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../papers/addresses.ts'
import { isMarkdown } from './markdown-file.ts'
import { isValueTable } from './read-table.ts'

/** Where a line of a file is shown; a file that is shown as something else than lines is asked for its lines. */
export function lineHref(
  repository: Repository,
  refName: string,
  { path, line }: { readonly path: string; readonly line: number },
): string {
  const view = isMarkdown(path) || isValueTable(path) ? '?view=source' : ''
  return `${repositoryPath(repository)}/blob/${encodePath(refName)}/${encodePath(path)}${view}#L${line}`
}
