import { html } from 'hono/html'

import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit, TreeEntry } from '../../git/types.ts'
import { encodePath, repositoryPath } from '../../papers/addresses.ts'
import type { Html } from './html.ts'
import { isBoxWarning } from './problem-list.ts'
import { timeAgo } from './time-ago.ts'

const KIND_WORDS: Readonly<Record<TreeEntry['kind'], string>> = {
  folder: 'folder',
  file: 'file',
  executable: 'program',
  symlink: 'link',
  submodule: 'submodule',
}

export interface FolderPlace {
  readonly repository: Repository
  readonly refName: string
  /** `''` for the top. */
  readonly path: string
  /** Whose problems are counted beside the names; null = nobody's. */
  readonly build: Build | null
  /** The newest commit of each entry, as far as known. */
  readonly lastCommits: ReadonlyMap<string, Commit>
}

/** The entries of one folder as a table; problems of the newest build stand beside the files they are in. */
export function fileTable(entries: readonly TreeEntry[], place: FolderPlace): Html {
  const parent = place.path === '' ? null : place.path.split('/').slice(0, -1).join('/')
  return html`<table class="files">
    <thead class="visually-hidden">
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Problems</th>
        <th scope="col">Last commit</th>
        <th scope="col">When</th>
      </tr>
    </thead>
    <tbody>
      ${
        parent === null
          ? ''
          : html`<tr>
              <td colspan="4"><a href="${folderHref(place, parent)}">..</a></td>
            </tr>`
      }
      ${entries.map((entry) => fileRow(entry, place))}
    </tbody>
  </table>`
}

function folderHref({ repository, refName }: FolderPlace, path: string): string {
  return `${repositoryPath(repository)}/tree/${encodePath(refName)}${path === '' ? '' : `/${encodePath(path)}`}`
}

function fileRow({ name, kind }: TreeEntry, place: FolderPlace): Html {
  const path = place.path === '' ? name : `${place.path}/${name}`
  const href =
    kind === 'folder'
      ? folderHref(place, path)
      : `${repositoryPath(place.repository)}/blob/${encodePath(place.refName)}/${encodePath(path)}`
  const isRoot = place.build?.rootFile === path
  return html`<tr>
    <th scope="row" class="kind-${kind}">
      <span class="visually-hidden">${KIND_WORDS[kind]} </span>
      ${kind === 'submodule' ? name : html`<a href="${href}">${name}${kind === 'folder' ? '/' : ''}</a>`}
      ${isRoot ? html`<span class="quiet">root document</span>` : ''}
    </th>
    <td class="problems-of">${countsOf(path, kind, place.build)}</td>
    ${lastCommitCells(place.lastCommits.get(name) ?? null, place.repository)}
  </tr>`
}

function lastCommitCells(commit: Commit | null, repository: Repository): Html {
  if (commit === null)
    return html`<td></td>
      <td></td>`
  const subject = commit.message.split('\n', 1)[0] ?? ''
  return html`<td class="last-commit">
      <a href="${repositoryPath(repository)}/commit/${commit.commitId}">${subject === '' ? 'no message' : subject}</a>
    </td>
    <td class="quiet">${timeAgo(commit.committer.at)}</td>`
}

function countsOf(path: string, kind: TreeEntry['kind'], build: Build | null): Html | '' {
  if (build === null) return ''
  const isHere = ({ file }: { readonly file: string | null }): boolean =>
    kind === 'folder' ? file?.startsWith(`${path}/`) === true : file === path
  const errors = build.errors.filter(isHere).length
  const warnings = build.warnings.filter((warning) => isHere(warning) && !isBoxWarning(warning)).length
  return html`${errors === 0 ? '' : html`<span class="proof-failed" title="errors">✕ ${errors}</span> `}${
    warnings === 0 ? '' : html`<span class="proof-warned" title="warnings">⚠ ${warnings}</span>`
  }`
}
