import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../../operations/deps.ts'
import { encodePath, repositoryPath } from '../../../domain/page-urls.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import type { ResolvedRef } from './resolve-ref.ts'
import { hasLines as hasLinesByName } from '../../content/file-kind.ts'
import { breadcrumb } from '../../ui/breadcrumb.ts'
import { moreMenu } from '../../ui/more-menu.ts'
import type { Html } from '../../ui/html.ts'
import { refPicker, repositoryHeader } from './repository-header.ts'

/** The pages that show one file. */
export type FilePage = 'blob' | 'blame' | 'commits'

/** The file, and the page that shows it. */
export interface FilePlace {
  readonly repository: ViewedRepository
  readonly ref: ResolvedRef
  readonly path: string
  readonly page: FilePage
  /** Whether it has a blame page; by default determined by its name. */
  readonly hasLines?: boolean
  /** A symbolic link has no content to open: neither raw nor its lines. */
  readonly isLink?: boolean
  /** More links, before the others. */
  readonly more?: Html | ''
}

/** Header of a file, its blame and its history: the repository, the ref, the path, the links between them. */
export async function fileHead(c: Context, { git }: Pick<Deps, 'git'>, place: FilePlace): Promise<Html> {
  const { repository, ref, path, page, isLink = false, more = '' } = place
  const hasLines = !isLink && (place.hasLines ?? hasLinesByName(path))
  const [branches, tags] = await Promise.all([git.listBranches(repository.id), git.listTags(repository.id)])
  const address = (other: string, name = ref.name): string =>
    `${repositoryPath(repository)}/${other}/${encodePath(name)}/${encodePath(path)}`
  const way = (other: FilePage, label: string): Html | '' =>
    other === page ? '' : html`<a href="${address(other)}">${label}</a>`
  return html`${repositoryHeader(c, repository, 'files', ref.name)}
    <div class="bar">
      ${refPicker(ref.name, { branches, tags, link: (name) => address(page, name) })}
      ${breadcrumb({ repository, ref, path, prefix: page === 'blame' ? 'Blame of' : '' })}
      <div class="actions">${way('blob', 'File')} ${way('commits', 'History')} ${more}</div>
      ${moreMenu([
        hasLines ? way('blame', 'Blame') : '',
        isLink ? '' : html`<a href="${address('raw')}">Raw</a>`,
        isLink ? '' : html`<a href="${address('raw')}" download>Download</a>`,
        ref.kind === 'commit' ? '' : html`<a href="${address(page, ref.commitId)}" data-key="y">Permalink</a>`,
        html`<a href="${repositoryPath(repository)}/find/${encodePath(ref.name)}" data-key="t">Find a file</a>`,
      ])}
    </div>`
}
