import { html, raw } from 'hono/html'

import type { BuildRecord, CommitProblem } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit, TreeEntry } from '../../git/types.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { escapeHtml } from '../content/escape-html.ts'
import type { Html } from '../ui/html.ts'
import { symbol } from '../ui/symbol.ts'
import { isBoxWarning } from '../ui/problem/problem-list.ts'
import { createRowCache, newestOf } from '../ui/row-cache.ts'
import { timeCell } from '../ui/format/time-ago.ts'

const KIND_WORDS = { executable: 'executable', symlink: 'symbolic link', submodule: 'submodule' } as const

export interface FolderPlace {
  readonly repository: Repository
  readonly refName: string
  readonly commitId: string
  /** `''` for the root folder. */
  readonly path: string
  /** The newest build of every document at this commit. */
  readonly builds: readonly BuildRecord[]
  /** Problems of these builds, counted next to the names. */
  readonly problems: readonly CommitProblem[]
  /** Finds the newest commit of each entry, as far as it is known. */
  readonly findLastCommits: () => Promise<ReadonlyMap<string, Commit>>
}

type LastCommits = Awaited<ReturnType<FolderPlace['findLastCommits']>>

/** The entries of one folder as a table, with the number of problems that all documents report of each. */
export async function fileTable(entries: readonly TreeEntry[], place: FolderPlace): Promise<Html> {
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
              <td colspan="4" class="folder"><a href="${folderHref(place, parent)}">..</a></td>
            </tr>`
      }
      ${raw(await fileRows(entries, place))}
    </tbody>
  </table>`
}

const cachedRows = createRowCache()

/** The rows of a folder, cached if the newest commit of every entry is known. */
async function fileRows(entries: readonly TreeEntry[], place: FolderPlace): Promise<string> {
  const { repository, refName, commitId, path, builds } = place
  const built = builds.map(({ id, finishedAt }) => [id, finishedAt])
  return cachedRows([repositoryPath(repository), refName, commitId, path, built], async () => {
    const lastCommits = await place.findLastCommits()
    const counts = countByEntry(place)
    const roots = new Set(builds.map(({ rootFile }) => rootFile))
    const rows = entries.map((entry) => fileRow(entry, { ...place, lastCommits, counts, roots })).join('')
    const isComplete = lastCommits.size === entries.length
    return { rows, newestAt: isComplete ? newestOf(lastCommits.values()) : Infinity }
  })
}

function folderHref({ repository, refName }: FolderPlace, path: string): string {
  return `${repositoryPath(repository)}/tree/${encodePath(refName)}${path === '' ? '' : `/${encodePath(path)}`}`
}

/** Rows occur hundreds of times on a page, so they are built as text, without optional end tags. */
function fileRow(
  { name, kind }: TreeEntry,
  place: FolderPlace & {
    readonly lastCommits: LastCommits
    readonly counts: ReadonlyMap<string, EntryCounts>
    readonly roots: ReadonlySet<string>
  },
): string {
  const path = place.path === '' ? name : `${place.path}/${name}`
  const href =
    kind === 'folder'
      ? folderHref(place, path)
      : `${repositoryPath(place.repository)}/blob/${encodePath(place.refName)}/${encodePath(path)}`
  const label = escapeHtml(name)
  // Folders have a slash and most entries are files, so only other kinds are named.
  const word = kind === 'executable' || kind === 'symlink' || kind === 'submodule' ? hidden(KIND_WORDS[kind]) : ''
  const link =
    kind === 'submodule' ? label : `<a href="${escapeHtml(href)}">${label}${kind === 'folder' ? '/' : ''}</a>`
  const root = place.roots.has(path) ? ' <span class="quiet">root file</span>' : ''
  const last = lastCommitCells(place.lastCommits.get(name) ?? null, place.repository)
  return `<tr><th scope="row" class="${iconClass(name, kind)}">${word}${link}${root}<td>${formatCounts(place.counts.get(name))}${last}\n`
}

/** The icon before a name, by its kind and its extension. */
function iconClass(name: string, kind: TreeEntry['kind']): string {
  if (kind === 'folder' || kind === 'submodule') return kind
  const ending = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.entries(ICON_ENDINGS).find(([, endings]) => endings.has(ending))?.[0] ?? 'file'
}

/** Classes of the style sheet, each with its file extensions. */
const ICON_ENDINGS: Readonly<Record<string, ReadonlySet<string>>> = {
  tex: new Set(['tex', 'ltx', 'sty', 'cls', 'tikz', 'md', 'txt', 'markdown']),
  bib: new Set(['bib', 'bst', 'bbx', 'cbx']),
  pdf: new Set(['pdf', 'ps', 'eps']),
  image: new Set(['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp']),
  table: new Set(['csv', 'tsv', 'dat', 'xlsx', 'ods']),
  program: new Set([
    'py',
    'r',
    'm',
    'jl',
    'js',
    'ts',
    'c',
    'cpp',
    'h',
    'rs',
    'go',
    'sh',
    'lua',
    'ipynb',
    'toml',
    'json',
    'yml',
    'yaml',
  ]),
}

function hidden(word: string): string {
  return `<span class="visually-hidden">${word} </span>`
}

function lastCommitCells(commit: Commit | null, repository: Repository): string {
  if (commit === null) return '<td><td>'
  const subject = escapeHtml(commitSubject(commit.message))
  const link = `<a href="${repositoryPath(repository)}/commit/${commit.commitId}">${subject}</a>`
  return `<td>${link}${timeCell(commit.committer.at)}`
}

interface EntryCounts {
  errors: number
  warnings: number
}

/** Errors and warnings below each entry of the folder, by the entry's name. */
function countByEntry({ path, problems }: FolderPlace): ReadonlyMap<string, EntryCounts> {
  const prefix = path === '' ? '' : `${path}/`
  const counts = new Map<string, EntryCounts>()
  for (const problem of problems) {
    if (problem.file?.startsWith(prefix) !== true || isBoxWarning(problem)) continue
    const [name = ''] = problem.file.slice(prefix.length).split('/', 1)
    const entry = counts.get(name) ?? { errors: 0, warnings: 0 }
    if (problem.type === 'error') entry.errors++
    else entry.warnings++
    counts.set(name, entry)
  }
  return counts
}

function formatCounts(counts: EntryCounts | undefined): string {
  const { errors, warnings } = counts ?? { errors: 0, warnings: 0 }
  const shown = [
    errors === 0 ? '' : `<span class="proof-failed" title="errors">${String(symbol('✕'))} ${errors}</span>`,
    warnings === 0 ? '' : `<span class="proof-warned" title="warnings">${String(symbol('⚠'))} ${warnings}</span>`,
  ]
  return shown.filter((each) => each !== '').join(' ')
}
