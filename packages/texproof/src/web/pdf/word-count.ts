import type { Context } from 'hono'
import { html } from 'hono/html'

import { pdfPath } from '../../domain/page-urls.ts'
import type { Repository } from '../../domain/types.ts'
import type { Deps } from '../../operations/deps.ts'
import { readDraftsOfBranch } from '../../operations/edit/drafts.ts'
import type { SectionWords, WordCount } from '../../operations/word-count/count-words.ts'
import { findWordCount } from '../../operations/word-count/word-count.ts'
import type { Paper } from '../../papers/types.ts'
import { NotFound } from '../session/errors.ts'
import { sendPage } from '../shell/page.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { backLink } from '../ui/back-link.ts'
import type { Html } from '../ui/html.ts'

/** `GET /{owner}/{repo}/words/{ref}`: the words of a document; with `drafts=1` the words of its drafts, for writers. */
export async function showWordCount(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const ref = await resolveRef(deps.git, repository.id, c.req.param('rest') ?? '')
  const paper = ref && (await findRefPaper(deps, repository.id, { ref, document: c.req.query('doc') ?? null }))
  if (ref === null || paper === null)
    throw new NotFound('Document not found. Words are counted in the documents of a branch, tag or commit.')
  const hasDrafts = c.req.query('drafts') === '1' && ref.kind === 'branch' && mayWrite(c, repository)
  const counted = await countWordsOf(deps, { repository, ref, paper, hasDrafts })
  c.header('cache-control', 'private, no-store')
  return sendPage(c, {
    title: `Word count · ${repository.owner.login}/${repository.name} @ ${ref.name}`,
    main: html`${repositoryHeader(c, repository, 'pdf', ref.name)}
      ${backLink({ href: pdfPath(repository, ref.name, c.req.query('doc') ?? null), label: 'PDF' })}
      <section class="word-count" data-word-count>
        <h1 id="word-count">Word count</h1>
        ${typeof counted === 'string' ? html`<p>${counted}</p>` : wordTable(counted)}
        <p class="quiet">
          ${describe(paper, { ref, hasDrafts })} Formulas, tables, listings, citations and the bibliography are not
          counted.
        </p>
      </section>`,
  })
}

interface Counted {
  readonly repository: Repository
  readonly ref: ResolvedRef
  readonly paper: Paper
  readonly hasDrafts: boolean
}

/**
 * The words of a document, or why they were not counted. Drafts belong to the newest commit of the branch, where the
 * document that was built last may have another name.
 */
async function countWordsOf(deps: Deps, { repository, ref, paper, hasDrafts }: Counted): Promise<WordCount | string> {
  const { rootFile, commitId: builtId } = paper.newest
  const of = { repositoryId: repository.id, ownerId: repository.owner.id, rootFile }
  const drafts = hasDrafts
    ? await readDraftsOfBranch(deps, { repositoryId: repository.id, branch: ref.name })
    : new Map<string, string>()
  const commitId = hasDrafts ? ref.commitId : builtId
  const isThere = drafts.has(rootFile) || (await deps.git.findEntry(repository.id, commitId, rootFile)) !== null
  if (!isThere) return `${rootFile} is no longer in ${ref.name}. Words are counted after the next build.`
  const counted = await findWordCount(deps, { ...of, commitId, drafts })
  if (counted === 'unreadable')
    return `The words were not counted: the project has too many files, or ${rootFile} is larger than 1 MB or not UTF-8 text.`
  return counted ?? 'Counting took too long. Try again later.'
}

function describe({ newest }: Paper, { ref, hasDrafts }: Pick<Counted, 'ref' | 'hasDrafts'>): string {
  if (hasDrafts) return `Counted in the sources of ${newest.rootFile}, with drafts.`
  const at = newest.commitId === ref.commitId ? '' : ` at commit ${newest.commitId.slice(0, 7)}`
  return `Counted in the sources of ${newest.rootFile}${at}.`
}

function wordTable({ total, sections }: WordCount): Html {
  const cells = ({ text, headings, notes }: WordCount['total']): Html =>
    html`${[text, headings, notes].map((words) => html`<td>${words.toLocaleString('en')}</td>`)}`
  const name = ({ title, level }: SectionWords, at: number): Html =>
    html`<th scope="row" class="level-${level}">${title || (at === 0 ? 'Before the first section' : 'Untitled')}</th>`
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="word-count">
    <table>
      <thead>
        <tr>
          <th scope="col">Section</th>
          <th scope="col">Text</th>
          <th scope="col">Headings</th>
          <th scope="col">Captions and footnotes</th>
        </tr>
      </thead>
      <tbody>
        <tr class="word-total">
          <th scope="row">Total</th>
          ${cells(total)}
        </tr>
        ${sections.map(
          (section, at) =>
            html`<tr>
              ${name(section, at)} ${cells(section)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
