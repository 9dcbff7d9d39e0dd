/** `POST /{owner}/{repo}/rename/{branch}/{path}`: renames a label or a citation key, for the script of the editor. */
import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { NameKind } from '../../../operations/project-search/rename-in-files.ts'
import { renameInProject } from '../../../operations/project-search/rename-in-project.ts'
import { readField } from '../../session/form.ts'
import { findEditLocation } from '../find-edit-location.ts'
import { refuse, textBranch } from './project-search.ts'

/** Characters that would end the argument, or are not allowed in a key by BibTeX and biber. */
const NAMES: Readonly<Record<NameKind, RegExp>> = {
  label: /^[^\s{}[\]\\%#~,$^&](?:[^{}[\]\\%#~,$^&\n\t]{0,198}[^\s{}[\]\\%#~,$^&])?$/,
  citation: /^[^\s{}[\]()\\%#~,$^&"'=]{1,200}$/,
}

/** Renames in all files of the branch, as drafts. */
export async function postRename(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const kind = readField(c, 'kind') === 'citation' ? 'citation' : 'label'
  const [from, to] = [readField(c, 'from'), readField(c, 'to').trim()]
  const term = kind === 'citation' ? 'citation key' : 'label'
  if (!NAMES[kind].test(to))
    return refuse(
      c,
      `Enter a ${term} without commas, braces${kind === 'citation' ? ', spaces' : ''} and other special characters.`,
    )
  if (from === to) return refuse(c, 'Enter a new name.')
  const { user } = location.caller
  const outcome = await renameInProject(deps, textBranch(location), { userId: user.id, renaming: { kind, from, to } })
  c.header('cache-control', 'private, no-store')
  switch (outcome.kind) {
    case 'renamed':
      return c.json(outcome)
    case 'taken':
      return refuse(c, `The ${term} "${to}" already exists.`)
    case 'not-found':
      return refuse(c, `The ${term} "${from}" was not found.`)
    case 'too-many-files':
      return refuse(c, 'Too many files contain this name. Use search and replace.')
    case 'incomplete':
      return refuse(c, 'Nothing was renamed: the branch is too large to find all uses. Rename in a clone and push.')
    case 'busy':
      return refuse(c, 'The server is busy. Try again.')
  }
}
