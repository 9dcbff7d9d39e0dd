/** Search and replace in all files of a branch with its drafts, for the script of the editor. */
import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import { maxReplacedFiles, replaceInProject, searchProject } from '../../../operations/project-search/search-project.ts'
import type { SearchFailure } from '../../../operations/project-search/search-project.ts'
import type { SearchQuery } from '../../../operations/project-search/search-files.ts'
import { readField, readFields } from '../../session/form.ts'
import { findEditLocation } from '../find-edit-location.ts'
import type { EditLocation } from '../find-edit-location.ts'

const MAX_QUERY_LENGTH = 1_000

/** `POST /{owner}/{repo}/search/{branch}/{path}`: matches by file, or the reason why there are none (422). */
export async function postProjectSearch(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const query = readQuery(c)
  if (typeof query === 'string') return refuse(c, query)
  const result = await searchProject(deps, textBranch(location), { userId: location.caller.user.id, query })
  c.header('cache-control', 'private, no-store')
  if (result.kind === 'found') return c.json(result)
  return refuse(
    c,
    result.kind === 'invalid-pattern' ? `Invalid regular expression: ${result.reason}.` : reasonOf(result),
  )
}

/** `POST /{owner}/{repo}/replace/{branch}/{path}`: replaces all matches in the chosen files, as drafts. */
export async function postProjectReplace(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const query = readQuery(c)
  if (typeof query === 'string') return refuse(c, query)
  // `{version} {path}`, as the search has sent them.
  const versions = new Map(readFields(c, 'file').map((file) => [file.slice(17), file.slice(0, 16)] as const))
  if (versions.size > maxReplacedFiles) return refuse(c, `Select at most ${maxReplacedFiles} files.`)
  const { user } = location.caller
  const result = await replaceInProject(deps, textBranch(location), { userId: user.id, query, versions })
  c.header('cache-control', 'private, no-store')
  return result.kind === 'replaced' ? c.json(result) : refuse(c, reasonOf(result))
}

/** The branch of an address. */
export function textBranch({ repository, branch, headId }: EditLocation) {
  return { repositoryId: repository.id, branch, headId }
}

/** Answers with the reason in plain words. */
export function refuse(c: Context, problem: string): Response {
  c.header('cache-control', 'private, no-store')
  return c.json({ problem }, 422)
}

/** The reason of a failure in plain words. */
export function reasonOf({ kind }: SearchFailure): string {
  return kind === 'busy'
    ? 'The server is busy. Try again.'
    : 'The search took longer than 2 seconds. Simplify the regular expression.'
}

/** The query of a form, or what is wrong with it. */
function readQuery(c: Context): SearchQuery | string {
  const text = readField(c, 'text')
  const replacement = readField(c, 'replacement')
  if (text === '') return 'Enter a text to search for.'
  if (text.length > MAX_QUERY_LENGTH || replacement.length > MAX_QUERY_LENGTH)
    return `Search for at most ${MAX_QUERY_LENGTH.toLocaleString('en')} characters.`
  return { text, replacement, isRegex: readField(c, 'regex') !== '', isCaseSensitive: readField(c, 'case') !== '' }
}
