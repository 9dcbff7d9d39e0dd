/**
 * Text of the push output: the documents found, and the outcome of each build. Readable without color, at most a screen
 * long.
 */
import { posix } from 'node:path'

import { failureStatus } from '../../domain/build.ts'
import type { Build, BuildRecord } from '../../domain/build.ts'
import { countFollowers, groupByCause, type ErrorGroup } from '../../domain/group-by-cause.ts'
import { formatProblem } from '../../domain/format-problem.ts'
import type { Repository } from '../../domain/types.ts'
import type { FoundDocuments, NearDocument, PaperDocument } from '../detect/types.ts'
import { MAX_WAITING } from '../request/queue-documents.ts'
import { buildPath, pdfPath, repositoryPath, shortRefName } from '../../domain/page-urls.ts'
import { nameTool } from '../../domain/tool-names.ts'
import { problemKey } from '../../domain/merge-problems.ts'
import type { QueuedPush } from '../types.ts'

const MAX_SHOWN_CAUSES = 3
/** Further documents are counted, not listed. */
const MAX_LISTED_DOCUMENTS = 6

const NO_DOCUMENT = [
  'No document found: a document needs \\documentclass and \\begin{document}',
  '  Nothing was built.',
]

/** The documents of the tree and the reasons. */
export function describeFound(found: FoundDocuments): string[] {
  if (found.kind === 'none') return found.near === null ? NO_DOCUMENT : describeNearDocument(found.near)
  if (found.kind === 'unreadable')
    return [
      'The LaTeX sources take too long to read',
      '  Nothing was built. Remove unusually large or repetitive files and push again.',
    ]
  if (found.kind === 'misconfigured')
    return [`${found.file}  ${found.message}`, '  Nothing was built. Fix the file and push again.']
  const { documents } = found
  if (documents.length > MAX_LISTED_DOCUMENTS) {
    const named = documents.slice(0, MAX_LISTED_DOCUMENTS).map(({ rootFile }) => rootFile)
    return [`Found ${documents.length} documents: ${named.join(', ')} and ${documents.length - named.length} more`]
  }
  return documents.flatMap(describeDocument)
}

function describeNearDocument(near: NearDocument): string[] {
  const { kind, path } = near
  if (kind === 'part')
    return [
      `No document found: ${path} (\\documentclass{${near.documentClass}}) counts as a part of another document`,
      '  Nothing was built. To build it, list it in .texproof.toml.',
    ]
  if (kind === 'plain-tex')
    return [
      `No document found: ${path} is plain TeX, and only LaTeX is compiled`,
      '  Nothing was built. Convert it to LaTeX, with \\documentclass and \\begin{document}.',
    ]
  if (kind === 'rnw')
    return [
      `No document found: ${path} contains R code, which is not run`,
      '  Nothing was built. Run knitr on your computer, and add the .tex file and its figures.',
    ]
  const { file, line } = wrapperOf(path)
  return [
    `No document found: ${path} is the source of a package`,
    `  Nothing was built. To build its manual, add ${file} with the line ${line}`,
    '  and list it in .texproof.toml.',
  ]
}

/** A document that reads a `.dtx` file, under the same name: many of them read themselves as `\jobname.dtx`. */
export function wrapperOf(path: string): { readonly file: string; readonly line: string } {
  return { file: path.replace(/\.dtx$/i, '.tex'), line: `\\input{${posix.basename(path)}}` }
}

function describeDocument({ rootFile, documentClass, engine, bibliography, reason }: PaperDocument): string[] {
  const source = documentClass === null ? rootFile : `${rootFile} (\\documentclass{${documentClass}})`
  const tools = bibliography === 'none' ? nameTool(engine) : `${nameTool(engine)} + ${nameTool(bibliography)}`
  return [`Found ${source} → ${tools}`, `  ${reason}`]
}

/** Explains why documents were found and none was built: too many builds wait, or the repository disables automatic builds. */
export function describeNotBuilt({ found, branch, isOverLimit }: Omit<QueuedPush, 'builds'>): string[] {
  if (found.kind !== 'found') return []
  const { owner } = branch.repository
  if (isOverLimit)
    return [
      `  Not built: ${MAX_WAITING.toLocaleString('en')} builds of repositories owned by ${owner.login} are waiting.`,
      '  To build it later, choose Build now on its PDF page.',
    ]
  return [`  Not built: .texproof.toml sets auto = "${found.trigger}".`]
}

/** Context of a reported build: the repository, and whether the push output has several results. */
export interface BuildPlace {
  readonly repository: Repository
  /** Public address without a trailing slash. */
  readonly baseUrl: string
  /** See `buildTitle`. */
  readonly title: string
  readonly isOneOfMany: boolean
  /** The branch's address still shows an older PDF while this build has none. */
  readonly hasOlderPdf: boolean
  /** Keys of the errors that the push output already lists, of documents that share a file with this one. */
  readonly listedErrors?: ReadonlySet<string>
}

/** The outcome of one build, or that it is not over yet. */
export function describeBuild(build: Build, place: BuildPlace): string[] {
  const { repository, baseUrl, title } = place
  // Several results share one address: it is printed once, at the end.
  const pdfUrl = place.isOneOfMany ? [] : [describeAddress(build, place)]
  const buildUrl = baseUrl + buildPath(repository, build.number)
  switch (build.state) {
    case 'queued':
      return [`${title} … queued, see`, `  ${buildUrl}`]
    case 'running':
      return [`${title} … still building, see`, `  ${buildUrl}`]
    case 'cancelled':
      return [`${title} … cancelled (replaced by a newer push, or stopped)`]
    case 'succeeded':
      return [`${title} … ${describeSuccess(build)} — ${describeResult(build)}`, ...pdfUrl]
    case 'failed':
      return [
        `${title} … ${describeFailure(build)} (push accepted${describeKept(place)})`,
        ...describeErrors(build, place.listedErrors ?? new Set()),
        `  ${buildUrl}`,
      ]
  }
}

/** The line with the address of the branch's PDF. */
export function describeAddress(
  { ref }: Pick<Build, 'ref'>,
  { repository, baseUrl }: Pick<BuildPlace, 'repository' | 'baseUrl'>,
): string {
  return `  ${baseUrl}${pdfPath(repository, shortRefName(ref), null)}`
}

/** Instead of the builds of a push, if its documents are not found in time. */
export function describeQueueing({ repository, baseUrl }: Pick<BuildPlace, 'repository' | 'baseUrl'>): string[] {
  return [
    'The documents are still being read. Builds will be listed at',
    `  ${baseUrl}${repositoryPath(repository)}/builds`,
  ]
}

/** The builds that a push of several documents or refs does not wait for. */
export function describeWaiting(
  count: number,
  { repository, baseUrl }: Pick<BuildPlace, 'repository' | 'baseUrl'>,
): string[] {
  return [`${countOf(count, 'document')} still building, see`, `  ${baseUrl}${repositoryPath(repository)}/builds`]
}

/** How many of several documents are built without errors. */
export function describeTotal(builds: readonly Pick<Build, 'state'>[]): string {
  const good = builds.filter(({ state }) => state === 'succeeded').length
  return `${good} of ${builds.length} documents up to date`
}

/** How many of several branches and tags have no build that failed or is not over. */
export function describeRefTotal(builds: readonly Pick<Build, 'ref' | 'state'>[]): string {
  const refs = new Set(builds.map(({ ref }) => ref))
  const others = new Set(builds.filter(({ state }) => state !== 'succeeded').map(({ ref }) => ref))
  const noun = hasOnlyTags(refs) ? 'tags' : [...refs].every(isBranch) ? 'branches' : 'branches and tags'
  return `${refs.size - others.size} of ${refs.size} ${noun} up to date`
}

/** The line with the address of the page that lists the branches or tags. */
export function describeRefsAddress(
  builds: readonly Pick<Build, 'ref'>[],
  { repository, baseUrl }: Pick<BuildPlace, 'repository' | 'baseUrl'>,
): string {
  const page = hasOnlyTags(new Set(builds.map(({ ref }) => ref))) ? 'tags' : 'branches'
  return `  ${baseUrl}${repositoryPath(repository)}/${page}`
}

function hasOnlyTags(refs: ReadonlySet<string>): boolean {
  return ![...refs].some(isBranch)
}

function isBranch(ref: string): boolean {
  return ref.startsWith('refs/heads/')
}

/** `Building main`, `Building main, topic-1 and 3 more`; with the root file if there are several documents. */
export function buildTitle(refNames: readonly string[], document: string | null): string {
  return `Building ${listRefs(refNames)}${document === null ? '' : `: ${document}`}`
}

/** `main`, `main and topic-1`, `main, topic-1 and 3 more`. */
export function listRefs([first = '', second, third, ...rest]: readonly string[]): string {
  if (second === undefined) return first
  if (third === undefined) return `${first} and ${second}`
  return `${first}, ${second} and ${rest.length === 0 ? third : `${rest.length + 1} more`}`
}

/** `14 pages, 3 warnings`. */
export function describeResult({
  pageCount,
  errorCount,
  warningCount,
}: Pick<BuildRecord, 'pageCount' | 'errorCount' | 'warningCount'>): string {
  const counts = [
    pageCount === null ? null : countOf(pageCount, 'page'),
    errorCount === 0 ? null : countOf(errorCount, 'error'),
    warningCount === 0 ? null : countOf(warningCount, 'warning'),
  ]
  return counts.filter((count) => count !== null).join(', ') || 'no warnings'
}

/** `1 page`, `2 pages`; irregular plurals are passed in. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** A good build that has not run has the result of an earlier one. */
function describeSuccess(build: Build): string {
  return build.startedAt === null ? 'done (same files as before)' : `done${describeDuration(build)}`
}

/** A failed build that has not run was refused, for example because no build minutes are left. */
function describeFailure(build: Build): string {
  return build.startedAt === null ? 'not built' : `${failureStatus(build)}${describeDuration(build)}`
}

function describeDuration({ startedAt, finishedAt }: Build): string {
  return startedAt === null || finishedAt === null ? '' : ` in ${((finishedAt - startedAt) / 1000).toFixed(1)} s`
}

function describeKept({ hasOlderPdf }: BuildPlace): string {
  return hasOlderPdf ? '; last good PDF kept' : ''
}

function describeErrors({ errors }: Build, listed: ReadonlySet<string>): string[] {
  const groups = groupByCause(errors)
  const isListed = ({ error }: ErrorGroup): boolean => listed.has(problemKey(error))
  const fresh = groups.filter((group) => !isListed(group))
  const shown = fresh.slice(0, MAX_SHOWN_CAUSES)
  const rest = countErrors(fresh.slice(MAX_SHOWN_CAUSES))
  const repeated = countErrors(groups.filter(isListed))
  return [
    ...shown.flatMap(describeErrorGroup),
    ...(rest === 0 ? [] : [`  and ${rest} more`]),
    ...(repeated === 0 ? [] : [`  ${countOf(repeated, 'error')} already listed above`]),
  ]
}

function countErrors(groups: readonly ErrorGroup[]): number {
  return groups.reduce((sum, { followers }) => sum + 1 + followers.length, 0)
}

function describeErrorGroup(group: ErrorGroup): string[] {
  const { file, line, column } = group.error
  const place = [file, line, column].filter((part) => part !== null && part !== undefined).join(':')
  const count = countFollowers(group)
  const head = `  ${file === null ? '' : `${place}  `}${formatProblem(group.error)}`
  return count === null ? [head] : [head, `    ${count}`]
}
