/**
 * Resolves a conflict between two edits of the same lines: both versions are shown side by side, and for each place one
 * of them is chosen, or both. Conflict markers are never shown, and typed text is kept until it is committed.
 */
import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { MergedPart } from '../../git/write/split-place.ts'
import { mergeEdit } from '../../operations/edit/merge-edit.ts'
import { listOtherDrafts } from '../../operations/edit/other-drafts.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { authorName } from '../../domain/git/author-name.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { capitalize } from '../../domain/text/capitalize.ts'
import { formToken } from '../session/form.ts'
import { textArea } from '../ui/form/text-area.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { formProblems, noProblems } from '../ui/form/form-problems.ts'
import { formField } from '../ui/form/form-field.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import type { EditLocation } from './find-edit-location.ts'
import { draftKey } from './draft.ts'
import { hiddenFields } from './edit-page.ts'
import { newCommitForm } from './read-edit-form.ts'
import type { ConflictAnswers, ConflictChoice, EditForm } from './read-edit-form.ts'

/** The conflict, and the commit it is with. */
interface Conflict {
  readonly headId: string
  readonly parts: readonly MergedPart[]
  readonly problem: string | null
}

/** Result of the choices. `open` = some are missing; `review` = the merged text is shown before it is committed. */
export type Resolution =
  | ({ readonly kind: 'open' } & Conflict)
  | { readonly kind: 'review' | 'commit'; readonly headId: string; readonly text: string }

/** Merges the text by the choices of the conflict page; null if the file was deleted. */
export async function resolveConflict(
  deps: Deps,
  { repository, path }: EditLocation,
  { openedId, text, answers: { headId, choices, isReview } }: EditForm & { readonly answers: ConflictAnswers },
): Promise<Resolution | null> {
  const { id: repositoryId, owner } = repository
  const merged = await mergeEdit(deps, { repositoryId, ownerId: owner.id, path, openedId, headId, text })
  if (merged.kind === 'gone') return null
  const { parts } = merged
  const texts: string[] = []
  for (const [index, part] of parts.entries()) {
    const choice = choices.get(index) ?? (isReview ? 'both' : null)
    if (part.kind === 'settled') texts.push(part.text)
    else if (choice === null)
      return { kind: 'open', headId, parts, problem: 'Resolve every conflict before committing.' }
    else texts.push(chosenText(part, choice))
  }
  return { kind: isReview ? 'review' : 'commit', headId, text: texts.join('') }
}

function chosenText(
  { mine, theirs }: { readonly mine: string; readonly theirs: string },
  choice: ConflictChoice,
): string {
  return choice === 'both' ? mine + theirs : choice === 'mine' ? mine : theirs
}

/** The page with the choices. */
export async function sendConflict(
  c: Context,
  deps: Deps,
  { location, form, headId, parts, problem }: Conflict & { readonly location: EditLocation; readonly form: EditForm },
): Promise<Response> {
  const { repository, branch, path, caller } = location
  const [commits, branches] = await Promise.all([
    deps.git.listCommits(repository.id, headId, { offset: 0, limit: 1, path }),
    deps.git.listBranches(repository.id),
  ])
  const other = commits?.[0] ?? null
  const isSelf = other?.author.name === authorName(caller.user)
  const name = isSelf ? 'you' : (other?.author.name ?? 'another user')
  const action = `${repositoryPath(repository)}/edit/${encodePath(branch)}/${encodePath(path)}`
  const { newBranch } = newCommitForm('', { login: caller.user.login, branches })
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">${breadcrumb({ repository, ref: { name: branch }, path, isHeading: false })}</div>
    <section class="edit conflict" aria-labelledby="edit-title">
      <h1 id="edit-title">Conflict in ${posix.basename(path)}</h1>
      ${formProblems(problem === null ? noProblems : { form: problem })}
      <p>
        ${isSelf ? 'You' : (other?.author.name ?? 'Another user')} changed the same
        lines${isSelf ? ' in another window' : ''}${other === null ? '' : html` ${timeAgo(other.committer.at)}`}, while
        you were editing. Nothing is committed yet, and your text is kept. All other changes are merged. Resolve
        ${countOf(parts.filter(({ kind }) => kind === 'place').length, 'conflict')}.
      </p>
      ${await otherFiles(deps, location, form)}
      <form method="post" action="${action}" enctype="multipart/form-data">
        ${formToken(c)} ${hiddenFields(location, form)} ${carriedFields(form)}
        <input type="hidden" name="seen" value="${headId}" />
        ${form.commit.to === 'new' ? html`<input type="hidden" name="to" value="new" /><input type="hidden" name="new_branch" value="${form.commit.newBranch}" />` : ''}
        ${placeFields(parts, name)}
        <p class="actions">
          <button class="button">Commit resolution</button>
          <button class="drawn-button" name="act" value="look" formnovalidate>Review full text</button>
        </p>
      </form>
      <form method="post" action="${action}" enctype="multipart/form-data" class="aside-form">
        ${formToken(c)} ${hiddenFields(location, form)} ${carriedFields(form)}
        <input type="hidden" name="to" value="new" />
        <h2>Or keep both versions</h2>
        ${formField({ name: 'new_branch', id: 'new-branch', label: 'New branch for your version', autocomplete: 'off', value: newBranch })}
        <p class="actions"><button class="drawn-button">Commit my version to a new branch</button></p>
      </form>
    </section>`
  const title = `Conflict · ${path}  · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, isWide: true, status: 409 })
}

/** Names the other files of the commit. */
async function otherFiles(deps: Deps, location: EditLocation, { otherPaths }: EditForm): Promise<Html | ''> {
  const listed = await listOtherDrafts(deps, draftKey(location), location.caller.user.id)
  const paths = listed.map(({ path }) => path).filter((path) => otherPaths?.includes(path))
  if (paths.length === 0) return ''
  return html`<p>
    The drafts of other files are committed too:
    ${paths.map((path, at) => html`${at === 0 ? '' : ', '}<code>${path}</code>`)}.
  </p>`
}

/** The typed values, unchanged. */
function carriedFields({ text, newPath, commit, otherPaths }: EditForm): Html {
  return html`${textArea(text, html`name="text" hidden`)} <input type="hidden" name="path" value="${newPath}" />
    <input type="hidden" name="message" value="${commit.message}" />
    ${otherPaths?.map((path) => html`<input type="hidden" name="other" value="${path}" />`)}`
}

function placeFields(parts: readonly MergedPart[], name: string): Html {
  let line = 1
  let number = 0
  return html`${parts.map((part, at) => {
    const here = line
    line += linesOf(part.kind === 'settled' ? part.text : part.theirs).length
    if (part.kind === 'settled') return ''
    number += 1
    const before = linesOf(textOf(parts[at - 1])).at(-1)
    const after = linesOf(textOf(parts[at + 1]))[0]
    return html`<fieldset class="choice">
      <legend>Conflict ${number}, line ${here}</legend>
      ${contextLine(before)}
      <div class="versions">
        ${version(at, { choice: 'mine', label: 'Your version', text: part.mine })}
        ${version(at, { choice: 'theirs', label: name === 'you' ? 'Your last commit' : `${capitalize(name)}’s version`, text: part.theirs })}
      </div>
      ${contextLine(after)}
      <p>
        <label><input type="radio" name="place-${at}" value="both" required /> Both, yours first</label>
      </p>
    </fieldset>`
  })}`
}

function version(
  at: number,
  { choice, label, text }: { readonly choice: ConflictChoice; readonly label: string; readonly text: string },
): Html {
  return html`<div class="version">
    <p>
      <label><input type="radio" name="place-${at}" value="${choice}" required /> ${label}</label>
    </p>
    ${text === '' ? html`<p class="quiet">These lines are deleted.</p>` : html`<pre tabindex="0">${text}</pre>`}
  </div>`
}

/** The line before or after, for context. */
function contextLine(line: string | undefined): Html | '' {
  return line === undefined || line === '' ? '' : html`<pre class="around">${line}</pre>`
}

function textOf(part: MergedPart | undefined): string {
  return part?.kind === 'settled' ? part.text : ''
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
