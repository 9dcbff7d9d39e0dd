/** `/{owner}/{repo}/settings/share`: links for readers without an account, and the badge for a README. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Ref } from '../../git/types.ts'
import {
  createShareLink,
  isEnded,
  readShareLinkText,
  replaceShareLink,
  revokeShareLink,
  type CreatedShareLink,
  type ShareLinkStores,
} from '../../operations/repository/share-links.ts'
import { parseId } from '../../domain/parse-id.ts'
import { badgePath, pdfPath, repositoryPath, shortRefName } from '../../domain/page-urls.ts'
import { MAX_ACTIVE_LINKS } from '../../store/repositories/share-links.ts'
import { describedBy, fieldProblem, formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { orderBranches, orderTags } from '../shell/repository/order-refs.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { NotFound } from '../session/errors.ts'
import { resolveFullRef } from '../shell/repository/resolve-ref.ts'
import { formToken, readField } from '../session/form.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { activeLinks, endedLinks, type ActiveLink } from './share-link-tables.ts'

const DAY_MS = 86_400_000
/** Lifetimes in days offered by the form; `''` = no expiry. */
const LIFETIMES = ['7', '30', '90', '365', ''] as const
const DEFAULT_LIFETIME = '30'
const MAX_LISTED_REFS = 200
const MAX_DOCUMENT_LENGTH = 255

/** Values and problems of the form. */
interface ShareForm {
  readonly ref: string
  readonly document: string
  readonly days: string
  readonly problems: FormProblems
}

/** The page, for administrators of the repository. `made` in its address is the id of a new link, shown at the top. */
export async function showShareSettings(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireAdministered(c, deps)
  const ref = c.req.query('ref') ?? `refs/heads/${repository.defaultBranch}`
  return sendSettings(c, deps, {
    repository,
    form: { ref, document: c.req.query('doc') ?? '', days: DEFAULT_LIFETIME, problems: noProblems },
    madeId: parseId(c.req.query('made')),
  })
}

/** Creates a link. Reloading the page that follows creates no other one. */
export async function postShareLink(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireAdministered(c, deps)
  const ref = readField(c, 'ref')
  const document = readField(c, 'document').slice(0, MAX_DOCUMENT_LENGTH)
  const days = readField(c, 'days')
  const form = { ref, document, days, problems: noProblems }
  const problems = await findProblems(deps, repository, form)
  if (isRefused(problems)) return sendSettings(c, deps, { repository, form: { ...form, problems } })
  const created = await createShareLink(storesOf(deps), {
    repositoryId: repository.id,
    userId: actor.id,
    ref,
    document: document === '' ? null : document,
    expiresAt: days === '' ? null : Date.now() + Number(days) * DAY_MS,
  })
  if (created === null) {
    const problem = `This repository has reached the limit of ${MAX_ACTIVE_LINKS} share links. Revoke one first.`
    return sendSettings(c, deps, { repository, form: { ...form, problems: { form: problem } } })
  }
  return redirectToLink(c, repository, created)
}

async function findProblems(
  deps: Deps,
  repository: ViewedRepository,
  { ref: fullName, document, days }: ShareForm,
): Promise<FormProblems> {
  const ref = await resolveFullRef(deps.git, repository.id, fullName)
  if (ref === null) return { ref: 'This branch, tag or commit does not exist. Choose another one.' }
  if (document !== '' && (await findRefPaper(deps, repository.id, { ref, document })) === null)
    return { document: `${ref.name} has no document ${document}. Choose another one.` }
  return LIFETIMES.some((lifetime) => lifetime === days) ? noProblems : { days: 'Choose when the link expires.' }
}

/** Gives a link a new address and invalidates the old one. */
export async function postReplaceShareLink(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireAdministered(c, deps)
  const wanted = { repositoryId: repository.id, userId: actor.id, linkId: readLinkId(c) }
  const replaced = await replaceShareLink(storesOf(deps), wanted)
  if (replaced === null) throw new NotFound()
  return redirectToLink(c, repository, replaced)
}

function redirectToLink(c: Context, repository: ViewedRepository, { link }: CreatedShareLink): Response {
  return c.redirect(`${repositoryPath(repository)}/settings/share?made=${link.id}`, 303)
}

/** Revokes a link. */
export async function postRevokeShareLink(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireAdministered(c, deps)
  const wanted = { repositoryId: repository.id, userId: actor.id, linkId: readLinkId(c) }
  if (!(await revokeShareLink(deps.store, wanted))) throw new NotFound()
  return redirectWithNotice(c, `${repositoryPath(repository)}/settings/share`, 'share-link-revoked')
}

/** @throws NotFound if the address contains no id. */
function readLinkId(c: Context): number {
  const id = parseId(c.req.param('id'))
  if (id === null) throw new NotFound()
  return id
}

function storesOf({ store, config }: Deps): ShareLinkStores {
  return { store, dataDir: config.dataDir }
}

function addressOf({ config }: Deps, text: string): string {
  return `${config.baseUrl}/s/${text}`
}

interface SettingsView {
  readonly repository: ViewedRepository
  readonly form: ShareForm
  readonly madeId?: number | null
}

async function sendSettings(
  c: Context,
  deps: Deps,
  { repository, form, madeId = null }: SettingsView,
): Promise<Response> {
  const [branches, tags, links, documents] = await Promise.all([
    deps.git.listBranches(repository.id),
    deps.git.listTags(repository.id),
    deps.store.shareLinks.listOfRepository(repository.id),
    listDocuments(deps, repository, form.ref),
  ])
  const ended = links.filter((link) => isEnded(link))
  const active = await Promise.all(
    links
      .filter((link) => !isEnded(link))
      .map(async (link): Promise<ActiveLink> => {
        const text = await readShareLinkText(link, deps.config.dataDir)
        return { link, address: text === null ? null : addressOf(deps, text) }
      }),
  )
  const made = active.find(({ link }) => link.id === madeId)?.address ?? null
  const main = html`${repositoryHeader(c, repository, 'pdf')}
    <section class="share-settings">
      <h1>Share the PDF</h1>
      <p class="prose-line">
        Anyone with the link can read this PDF without an account. The link gives no access to the source or to other
        pages of the repository. To let others edit,
        <a href="${repositoryPath(repository)}/people">invite collaborators</a>.
      </p>
      ${made === null ? '' : madeLink(made)} ${formProblems(form.problems)}
      ${branches.length === 0 ? html`<p class="quiet">There is nothing to share before the first push.</p>` : shareForm(c, repository, { form, branches, tags, documents })}
      <h2>Links</h2>
      ${active.length === 0 ? html`<p class="quiet">No active share links.</p>` : activeLinks(c, repository, active)}
      ${ended.length === 0 ? '' : endedLinks(ended)} ${badgeSnippet(repository, deps.config.baseUrl)}
    </section>`
  c.header('cache-control', 'no-store')
  const status = isRefused(form.problems) ? 422 : 200
  return sendPage(c, { title: `Share · ${repository.owner.login}/${repository.name}`, main, status })
}

/** Names of the documents of a version; empty if it does not exist or was never built. */
async function listDocuments(deps: Deps, { id }: ViewedRepository, fullName: string): Promise<readonly string[]> {
  const ref = await resolveFullRef(deps.git, id, fullName)
  const paper = ref && (await findRefPaper(deps, id, { ref, document: null }))
  return (paper?.documents ?? []).map(({ document }) => document)
}

function madeLink(address: string): Html {
  return html`<div class="banner banner-good made-link" role="status">
    <label for="made">Link created</label>
    <span class="copyable">
      <input id="made" type="text" readonly value="${address}" />
      <button type="button" class="plain-button" data-copy="made" hidden>${icon('copy')} Copy</button>
      <a href="${address}">Open</a>
    </span>
  </div>`
}

interface ShareChoices {
  readonly form: ShareForm
  readonly branches: readonly Ref[]
  readonly tags: readonly Ref[]
  readonly documents: readonly string[]
}

function shareForm(c: Context, repository: ViewedRepository, { form, branches, tags, documents }: ShareChoices): Html {
  return html`<form method="post" action="${repositoryPath(repository)}/settings/share" class="row-form">
    ${formToken(c)} ${versionField(form, { branches, tags })} ${documentField(form, documents)}
    <p class="field">
      <label for="days">Expires in</label>
      ${fieldProblem('days', form.problems)}
      <select id="days" name="days" ${describedBy('days', { hasHint: false, problems: form.problems })}>
        ${LIFETIMES.map((days) => html`<option value="${days}" ${days === form.days ? html`selected` : ''}>${days === '' ? 'No expiration' : `${days} days`}</option>`)}
      </select>
    </p>
    <p><button class="button">Create link</button></p>
  </form>`
}

/** The chosen version is always an option, so that the browser does not submit another one: commits are not listed. */
function versionField({ ref, problems }: ShareForm, { branches, tags }: Pick<ShareChoices, 'branches' | 'tags'>): Html {
  const heads = orderBranches(branches)
    .slice(0, MAX_LISTED_REFS)
    .map(({ name }) => `refs/heads/${name}`)
  const versions = orderTags(tags)
    .slice(0, MAX_LISTED_REFS)
    .map(({ name }) => `refs/tags/${name}`)
  const group = (label: string, names: readonly string[]): Html | '' =>
    names.length === 0
      ? ''
      : html`<optgroup label="${label}">
          ${names.map((name) => html`<option value="${name}" ${name === ref ? html`selected` : ''}>${labelOf(name)}</option>`)}
        </optgroup>`
  return html`<p class="field">
    <label for="ref">Version</label>
    ${fieldProblem('ref', problems)}
    <select id="ref" name="ref" ${describedBy('ref', { hasHint: false, problems })}>
      ${group('This version', [...heads, ...versions].includes(ref) ? [] : [ref])}
      ${group('Latest version of a branch', heads)} ${group('Tagged version', versions)}
    </select>
  </p>`
}

function labelOf(ref: string): string {
  return ref.startsWith('refs/') ? shortRefName(ref) : `Commit ${ref.slice(0, 10)}`
}

/** Omitted if there is nothing to choose. The chosen document is an option even if the version does not have it. */
function documentField({ document, problems }: ShareForm, documents: readonly string[]): Html | '' {
  const isListed = document === '' || documents.includes(document)
  if (isListed && documents.length < 2) return ''
  return html`<p class="field">
    <label for="document">Document</label>
    ${fieldProblem('document', problems)}
    <select id="document" name="document" ${describedBy('document', { hasHint: false, problems })}>
      ${[...(isListed ? [] : [document]), ...documents].map((name) => html`<option value="${name}" ${name === document ? html`selected` : ''}>${name}</option>`)}
    </select>
  </p>`
}

/** Code of the badge, only for public papers: other badges are hidden from anonymous readers. */
function badgeSnippet(repository: ViewedRepository, baseUrl: string): Html | '' {
  if (repository.visibility === 'private') return ''
  const badge = badgePath(repository, repository.defaultBranch)
  const snippet = `[![Paper](${baseUrl}${badge})](${baseUrl}${pdfPath(repository, repository.defaultBranch, null)})`
  return html`<h2>Badge</h2>
    <p><img class="badge" src="${badge}" alt="Badge of ${repository.defaultBranch}" height="20" /></p>
    <p class="copyable">
      <label class="visually-hidden" for="badge">Markdown of the badge</label>
      <input id="badge" type="text" readonly value="${snippet}" />
      <button type="button" class="plain-button" data-copy="badge" hidden>${icon('copy')} Copy</button>
    </p>`
}
