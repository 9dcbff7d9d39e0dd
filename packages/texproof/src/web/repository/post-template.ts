import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { fillFromTemplate } from '../../operations/repository/fill-from-template.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { parsePaperStart } from '../../templates/paper-starts.ts'
import { NotFound } from '../session/errors.ts'
import { readField } from '../session/form.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'

/** `POST /{owner}/{repo}/begin`: creates the first paper of an empty repository from a template. */
export async function postTemplate(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireWritable(c, deps)
  const start = parsePaperStart(readField(c, 'paper'))
  if (start === null) throw new NotFound('Template not found.')
  const authorEmail = `noreply@${new URL(deps.config.baseUrl).hostname}`
  await fillFromTemplate(deps, { repository, actor, start, authorEmail })
  return c.redirect(repositoryPath(repository), 303)
}
