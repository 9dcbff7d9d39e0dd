import { setTimeout as delay } from 'node:timers/promises'

import type { Parsers, ParseOptions, TaskOutcome } from '../base/open-parsers.ts'
import { defineTask, type ThreadTask } from '../base/thread-task.ts'
import type { Repository } from '../domain/types.ts'
import { TooManyWaiting } from '../git/take-turns.ts'
import type { GitStore } from '../git/types.ts'
import {
  maxSourceBytes,
  type chooseSources,
  type findDocumentsInList,
  type WantedSource,
} from './documents/find-documents-in-list.ts'
import type { FoundDocuments } from './documents/types.ts'

const MODULE = import.meta.resolve('./documents/find-documents-in-list.ts')
const CHOOSE = defineTask<typeof chooseSources>(MODULE, 'chooseSources')
const FIND = defineTask<typeof findDocumentsInList>(MODULE, 'findDocumentsInList')

/** An ordinary tree takes some milliseconds, thousands of sources a second. */
const TIME_LIMIT_MS = 8_000
/** A push must not lose its builds because many others come at the same time. */
const RETRY_EVERY_MS = 250
const MAX_TRIES = 240
/** Sources asked for at a time: enough to keep git busy, few enough to keep memory calm. */
const READS_AT_ONCE = 64

/**
 * Finds the documents of a commit.
 *
 * @throws TooManyWaiting
 */
export async function findDocumentsOfCommit(
  { git, parsers }: { readonly git: GitStore; readonly parsers: Parsers },
  repository: Repository,
  commitId: string,
): Promise<FoundDocuments> {
  const list = await git.readFileList(repository.id, commitId)
  if (list === null) return { kind: 'none' }
  const options = { ownerId: repository.owner.id, timeLimitMs: TIME_LIMIT_MS }
  const chosen = await runPatiently(parsers, CHOOSE, list, options)
  if (chosen.kind !== 'done') return { kind: 'unreadable' }
  if (chosen.value === null || chosen.value.length === 0) return { kind: 'none' }
  const sources = await readSources(git, repository.id, chosen.value)
  const found = await runPatiently(parsers, FIND, { list, sources }, options)
  return found.kind === 'done' ? found.value : { kind: 'unreadable' }
}

/**
 * Runs a task, and again later while the queue is full.
 *
 * @throws TooManyWaiting when it stays full, or the host is shutting down: nothing is known of the content then.
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
      // A copy: what git gave may be a view of much more.
      if (bytes !== null) sources.set(path, new Uint8Array(bytes))
    }
  }
  return sources
}
