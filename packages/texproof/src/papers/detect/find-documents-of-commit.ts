import { setTimeout as delay } from 'node:timers/promises'

import { LRUCache } from 'lru-cache'

import type { Parsers, ParseOptions, TaskOutcome } from '../../base/open-parsers.ts'
import { createOutcomeCache } from '../../base/outcome-cache.ts'
import { defineTask, type ThreadTask } from '../../base/thread-task.ts'
import type { Repository, User } from '../../domain/types.ts'
import { TooManyWaiting } from '../../base/limiter.ts'
import { GitTimeout } from '../../git/process/run-git.ts'
import type { GitStore } from '../../git/types.ts'
import {
  maxSourceBytes,
  type chooseSources,
  type findDocumentsInList,
  type WantedSource,
} from './find-documents-in-list.ts'
import type { FoundDocuments } from './types.ts'

const MODULE = import.meta.resolve('./find-documents-in-list.ts')
const CHOOSE = defineTask<typeof chooseSources>(MODULE, 'chooseSources')
export const FIND_DOCUMENTS = defineTask<typeof findDocumentsInList>(MODULE, 'findDocumentsInList')

/** An ordinary tree takes milliseconds; thousands of sources take a second. */
const TIME_LIMIT_MS = 8_000
/** A push must not lose its builds because many others arrive at the same time. */
const RETRY_EVERY_MS = 250
const MAX_TRIES = 240
/** Attempts to list the files, which post-receive spreads over a quarter of an hour. */
const MAX_TIMEOUTS = 8
/** Sources requested at a time: enough to keep git busy, few enough to limit memory. */
const READS_AT_ONCE = 64

/** Commits never change, and a push of thousands of branches may request one commit thousands of times. */
const found = createOutcomeCache<FoundDocuments>({
  maxSize: 2 * 1024 * 1024,
  sizeOf: (documents) => 100 + (documents.kind === 'found' ? 500 * documents.documents.length : 0),
})

/** Commits whose detection timed out, by repository and commit. */
const timeouts = new LRUCache<string, number>({ max: 1_000 })

/** The repository of a commit, and its owner for fairness. */
export type DocumentPlace = Pick<Repository, 'id'> & { readonly owner: Pick<User, 'id'> }

/** Dependencies of document detection. */
export interface DocumentTools {
  readonly git: GitStore
  readonly parsers: Parsers
}

/**
 * Finds the documents of a commit.
 *
 * @throws TooManyWaiting; this includes a timeout of git, so that post-receive is retried.
 */
export async function findDocumentsOfCommit(
  tools: DocumentTools,
  repository: DocumentPlace,
  commitId: string,
): Promise<FoundDocuments> {
  const key = `${tools.git.gitDir(repository.id)} ${commitId}`
  const outcome = await found.find(key, () => readDocuments(tools, repository, commitId))
  return outcome.kind === 'done' ? outcome.value : { kind: 'unreadable' }
}

async function readDocuments(
  { git, parsers }: DocumentTools,
  repository: DocumentPlace,
  commitId: string,
): Promise<TaskOutcome<FoundDocuments>> {
  const list = await readListPatiently(git, repository.id, commitId)
  if (list === 'timed-out') return { kind: 'timed-out' }
  const none: TaskOutcome<FoundDocuments> = { kind: 'done', value: { kind: 'none', near: null } }
  if (list === null) return none
  const options = { ownerId: repository.owner.id, timeLimitMs: TIME_LIMIT_MS }
  const chosen = await runPatiently(parsers, CHOOSE, list, options)
  if (chosen.kind !== 'done') return chosen
  if (chosen.value === null) return none
  const sources = await readSources(git, repository.id, chosen.value)
  return runPatiently(parsers, FIND_DOCUMENTS, { list, sources }, options)
}

/**
 * A tree can be designed to take minutes without listing a file. Post-receive must not retry it forever, so after several
 * timeouts the commit counts as too slow to read.
 */
async function readListPatiently(
  git: GitStore,
  repositoryId: number,
  commitId: string,
): Promise<Uint8Array | 'timed-out' | null> {
  const key = `${git.gitDir(repositoryId)} ${commitId}`
  try {
    return await git.readFileList(repositoryId, commitId)
  } catch (error) {
    if (!(error instanceof GitTimeout)) throw error
    const count = (timeouts.get(key) ?? 0) + 1
    timeouts.set(key, count)
    if (count < MAX_TIMEOUTS) throw error
    return 'timed-out'
  }
}

/** The TeX files of a commit, as candidates for root files; empty if there are too many files. */
export async function listLatexSources(
  { git, parsers }: DocumentTools,
  repository: DocumentPlace,
  commitId: string,
): Promise<readonly string[]> {
  const list = await git.readFileList(repository.id, commitId)
  if (list === null) return []
  const options = { ownerId: repository.owner.id, timeLimitMs: TIME_LIMIT_MS }
  const chosen = await runPatiently(parsers, CHOOSE, list, options)
  if (chosen.kind !== 'done' || chosen.value === null) return []
  return chosen.value.map(({ path }) => path).filter((path) => /\.(?:tex|ltx|latex)$/i.test(path))
}

/**
 * Runs a task; retries while the queue is full.
 *
 * @throws TooManyWaiting if the queue stays full or the host shuts down: nothing is known of the content then.
 */
async function runPatiently<Input, Result>(
  parsers: Parsers,
  task: ThreadTask<Input, Result>,
  input: Input,
  options: ParseOptions,
): Promise<TaskOutcome<Result>> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await parsers.run(task, input, options)
    if (outcome.kind === 'aborted' || (outcome.kind === 'busy' && tries === MAX_TRIES)) throw new TooManyWaiting()
    if (outcome.kind !== 'busy') return outcome
    await delay(RETRY_EVERY_MS)
  }
}

async function readSources(
  git: GitStore,
  repositoryId: number,
  wanted: readonly WantedSource[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const sources = new Map<string, Uint8Array>()
  for (let start = 0; start < wanted.length; start += READS_AT_ONCE) {
    const some = wanted.slice(start, start + READS_AT_ONCE)
    const read = await Promise.all(
      some.map(({ objectId }) => git.readBlob(repositoryId, objectId, { maxBytes: maxSourceBytes })),
    )
    for (const [at, { path }] of some.entries()) {
      const bytes = read[at] ?? null
      // A copy, because git's bytes may be a view of a much larger buffer.
      if (bytes !== null) sources.set(path, new Uint8Array(bytes))
    }
  }
  return sources
}
