/** The payloads of webhooks, documented in `src/docs/webhooks.md`. Field names follow the webhooks of GitHub. */
import type { Config } from '../config/read-config.ts'
import type { BuildRecord } from '../domain/build.ts'
import { buildPath, encodePath, pdfFilePath, pdfPath, repositoryPath, shortRefName } from '../domain/page-urls.ts'
import type { Repository, User } from '../domain/types.ts'
import type { ChangedPaths } from '../git/history/list-changed-paths.ts'
import type { Commit, GitPerson, GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'
import type { EventSubject } from '../store/webhooks/queue-webhook-events.ts'
import type { Webhook, WebhookEvent } from '../store/webhooks/webhooks.ts'

/** Dependencies of the payloads. */
export interface PayloadSources {
  readonly config: Pick<Config, 'baseUrl'>
  readonly git: Pick<
    GitStore,
    'findBranch' | 'findCommit' | 'findMergeBase' | 'findTag' | 'listChangedPaths' | 'listCommits'
  >
  readonly store: Pick<Store, 'builds' | 'users'>
}

/** An event of a webhook. */
export interface SentEvent {
  readonly webhook: Webhook
  readonly repository: Repository
  readonly event: WebhookEvent
  readonly subject: EventSubject
}

const NO_COMMIT = '0'.repeat(40)
/** A payload lists the newest commits of a push; the page of the comparison lists all. */
const MAX_COMMITS = 50
const MAX_MESSAGE_LENGTH = 10_000
const UNKNOWN_PATHS: ChangedPaths = { added: [], removed: [], modified: [], isWhole: false }

/** The payload of an event as JSON text; null if its subject was deleted in the meantime. */
export async function makePayload(sent: SentEvent, sources: PayloadSources): Promise<string | null> {
  const { webhook, repository, event, subject } = sent
  const { baseUrl } = sources.config
  const about = await describeSubject(sent, sources)
  if (about === null) return null
  const user =
    subject.kind === 'build' || subject.userId === null ? null : await sources.store.users.findById(subject.userId)
  const common = {
    ...(event === 'ping' ? { hook_id: webhook.id } : {}),
    ...(event === 'push' ? { pusher: { name: user?.login ?? 'deleted', email: placeholder(baseUrl) } } : {}),
    repository: presentRepository(repository, baseUrl),
    sender: user === null ? null : presentUser(user, baseUrl),
  }
  return JSON.stringify({ ...about, ...common })
}

function describeSubject(
  { webhook, repository, event, subject }: SentEvent,
  sources: PayloadSources,
): Promise<object | null> | object {
  switch (subject.kind) {
    case 'ping':
      return {
        hook: { id: webhook.id, active: webhook.isActive, events: webhook.events, config: { url: webhook.url } },
      }
    case 'build':
      return describeBuild(repository, subject.buildId, sources)
    case 'ref':
      return event === 'push'
        ? describePush(repository, subject, sources)
        : {
            ref: shortRefName(subject.ref),
            ref_type: subject.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
            master_branch: repository.defaultBranch,
            description: repository.description,
            pusher_type: 'user',
          }
  }
}

type RefSubject = Extract<EventSubject, { kind: 'ref' }>

async function describePush(
  repository: Repository,
  { ref, before, after }: RefSubject,
  sources: PayloadSources,
): Promise<object> {
  const { config, git } = sources
  const page = config.baseUrl + repositoryPath(repository)
  const head = after === null ? null : await git.findCommit(repository.id, await peel(repository, { ref, after }, git))
  const base = before === null ? await findBase(repository, ref, git) : before
  const commits =
    head === null
      ? []
      : await listNew(repository, { commitId: head.commitId, since: base, isNew: before === null }, git)
  const presented = head === null ? commits : [...commits, head]
  const ids = [...new Set(presented.map(({ commitId }) => commitId))]
  const paths = ids.length === 0 ? new Map() : await git.listChangedPaths(repository.id, ids)
  const present = (commit: Commit): object =>
    presentCommit(commit, { page, baseUrl: config.baseUrl, paths: paths.get(commit.commitId) ?? UNKNOWN_PATHS })
  return {
    ref,
    before: before ?? NO_COMMIT,
    after: after ?? NO_COMMIT,
    created: before === null,
    deleted: after === null,
    forced: await isForced(repository, { ref, before, after }, git),
    base_ref: null,
    compare:
      before === null || after === null
        ? `${page}/commits/${encodePath(shortRefName(ref))}`
        : `${page}/compare/${before}...${after}`,
    commits: commits.map(present),
    head_commit: head === null ? null : present(head),
  }
}

/** The commit of an annotated tag. */
async function peel(
  { id }: Repository,
  { ref, after }: { readonly ref: string; readonly after: string },
  git: PayloadSources['git'],
): Promise<string> {
  if (!ref.startsWith('refs/tags/')) return after
  return (await git.findTag(id, shortRefName(ref)))?.commitId ?? after
}

/** Commits of a new branch are those that the default branch does not have. */
async function findBase(
  { id, defaultBranch }: Repository,
  ref: string,
  git: PayloadSources['git'],
): Promise<string | null> {
  if (ref === `refs/heads/${defaultBranch}`) return null
  return (await git.findBranch(id, defaultBranch))?.commitId ?? null
}

/** Commits, oldest first. Those that were removed in the meantime are omitted. */
async function listNew(
  { id }: Repository,
  { commitId, since, isNew }: { readonly commitId: string; readonly since: string | null; readonly isNew: boolean },
  git: PayloadSources['git'],
): Promise<readonly Commit[]> {
  const window = { offset: 0, limit: MAX_COMMITS, ...(since === null ? {} : { since }) }
  const found = await git.listCommits(id, commitId, window)
  // An old value that was removed from the repository: the newest commit is new in any case.
  const commits = found ?? (isNew ? [] : await git.listCommits(id, commitId, { offset: 0, limit: 1 })) ?? []
  return commits.toReversed()
}

async function isForced(
  { id }: Repository,
  { ref, before, after }: { readonly ref: string; readonly before: string | null; readonly after: string | null },
  git: PayloadSources['git'],
): Promise<boolean> {
  if (before === null || after === null) return false
  if (ref.startsWith('refs/tags/')) return true
  return (await git.findMergeBase(id, [before, after])) !== before
}

async function describeBuild(
  repository: Repository,
  buildId: number,
  { config: { baseUrl }, store }: PayloadSources,
): Promise<object | null> {
  const build = await store.builds.find(buildId)
  if (build === null) return null
  const documents = await store.builds.listOfCommit(repository.id, build.commitId)
  return {
    action: 'finished',
    build: {
      ...presentBuild(build, { repository, baseUrl }),
      ref: build.ref,
      commit: build.commitId,
      engine: build.engine,
      started_at: build.startedAt === null ? null : timestamp(build.startedAt),
      finished_at: build.finishedAt === null ? null : timestamp(build.finishedAt),
    },
    documents: documents.map((each) => presentBuild(each, { repository, baseUrl })),
  }
}

interface BuildPlace {
  readonly repository: Repository
  readonly baseUrl: string
}

function presentBuild(build: BuildRecord, { repository, baseUrl }: BuildPlace): object {
  const ref = build.ref.startsWith('refs/') ? shortRefName(build.ref) : build.ref
  return {
    id: build.id,
    number: build.number,
    status: statusOf(build),
    document: build.document,
    root_file: build.rootFile,
    page_count: build.pageCount,
    error_count: build.errorCount,
    warning_count: build.warningCount,
    html_url: baseUrl + buildPath(repository, build.number),
    pdf_page_url: baseUrl + pdfPath(repository, ref, build.document),
    pdf_url: build.pdfId === null ? null : baseUrl + pdfFilePath(repository, build.commitId, build.document),
  }
}

function statusOf({ state, pdfId }: BuildRecord): string {
  switch (state) {
    case 'queued':
    case 'running':
      return 'building'
    case 'cancelled':
      return 'not_built'
    case 'succeeded':
      return 'up_to_date'
    case 'failed':
      return pdfId === null ? 'failed' : 'built_with_errors'
  }
}

function presentCommit(
  { commitId, treeId, message, author, committer }: Commit,
  { page, baseUrl, paths }: { readonly page: string; readonly baseUrl: string; readonly paths: ChangedPaths },
): object {
  // Email addresses of authors are shown in clones only.
  const person = ({ name }: GitPerson): object => ({ name, email: placeholder(baseUrl), username: null })
  return {
    id: commitId,
    tree_id: treeId,
    distinct: true,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    timestamp: timestamp(committer.at),
    url: `${page}/commit/${commitId}`,
    author: person(author),
    committer: person(committer),
    added: paths.added,
    removed: paths.removed,
    modified: paths.modified,
    truncated: !paths.isWhole,
  }
}

function presentRepository(repository: Repository, baseUrl: string): object {
  const page = baseUrl + repositoryPath(repository)
  return {
    id: repository.id,
    name: repository.name,
    full_name: `${repository.owner.login}/${repository.name}`,
    private: repository.visibility === 'private',
    owner: presentUser(repository.owner, baseUrl),
    html_url: page,
    description: repository.description,
    clone_url: `${page}.git`,
    default_branch: repository.defaultBranch,
  }
}

function presentUser({ id, login }: User, baseUrl: string): object {
  return { id, login, html_url: `${baseUrl}/${login}`, type: 'User' }
}

function placeholder(baseUrl: string): string {
  return `noreply@${new URL(baseUrl).hostname}`
}

function timestamp(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
