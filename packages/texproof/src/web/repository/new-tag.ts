/** `/{owner}/{repo}/tags/new`: freezes a version of a document with an annotated tag. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { createTag } from '../../operations/branch/create-tag.ts'
import { pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { commitLine } from '../ui/commit-line.ts'
import { formProblems, isRefused, noProblems, type FormProblems } from '../ui/form/form-problems.ts'
import { formField } from '../ui/form/form-field.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { sendPage } from '../shell/page.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'
import { resolveRef } from '../shell/repository/resolve-ref.ts'

interface TagForm {
  readonly name: string
  readonly message: string
  readonly commitId: string
  readonly problems: FormProblems
}

/** The form; `?from=main` or a commit id selects the version. */
export async function showNewTag(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireWritable(c, deps)
  const from = c.req.query('from') ?? repository.defaultBranch
  const start = await resolveRef(deps.git, repository.id, from)
  if (start === null) throw new NotFound(`Branch, tag or commit ${from} not found.`)
  const message = c.req.query('message') ?? ''
  return sendForm(c, deps, repository, { name: '', message, commitId: start.commitId, problems: noProblems })
}

/** Creates the tag and redirects to its PDF. */
export async function postNewTag(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireWritable(c, deps)
  const [name, commitId] = [readField(c, 'name').trim(), readField(c, 'from')]
  const message = readField(c, 'message')
  const start = await resolveRef(deps.git, repository.id, commitId)
  if (start === null) throw new NotFound(`Commit ${commitId} not found.`)
  const refusal = await createTag(deps, { repository, actor, name, message, commitId: start.commitId })
  if (refusal === null) return redirectWithNotice(c, pdfPath(repository, name, null), 'tag-created')
  const problems = { [refusal.field === 'from' ? 'form' : refusal.field]: refusal.problem }
  return sendForm(c, deps, repository, { name, message, commitId: start.commitId, problems })
}

async function sendForm(
  c: Context,
  { git }: Deps,
  repository: ViewedRepository,
  { name, message, commitId, problems }: TagForm,
): Promise<Response> {
  const path = `${repositoryPath(repository)}/tags`
  const main = html`${repositoryHeader(c, repository, 'tags')}
    <section class="settings-form">
      <h1>New tag</h1>
      ${formProblems(problems)} ${commitLine(await git.findCommit(repository.id, commitId), repository)}
      <p>A tag keeps this version and its PDF, even if the branch changes.</p>
      <form method="post" action="${path}/new">
        ${formToken(c)}
        <input type="hidden" name="from" value="${commitId}" />
        ${formField({
          name: 'name',
          label: 'Name',
          autocomplete: 'off',
          value: name,
          hint: 'For example v1-submitted.',
          problems,
        })}
        ${formField({
          name: 'message',
          label: 'Message',
          autocomplete: 'off',
          value: message,
          hint: 'For example: Submitted to the Journal of Tides.',
          problems,
        })}
        <p class="actions"><button class="button">Create tag</button> <a href="${path}">Cancel</a></p>
      </form>
    </section>`
  const title = `New tag · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: isRefused(problems) ? 422 : 200 })
}
