/** Creates a repository from an archive or a folder. */
import type { Parsers, TaskOutcome } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { CommitStores } from '../edit/commit-on-branch.ts'
import type { CreateRepositoryOutcome, RepositoryDetails } from '../repository/create-repository.ts'
import { createWithFiles } from '../repository/create-with-files.ts'
import { importLimits } from './archive-limits.ts'
import type { ArchiveSummary, ImportSource, readArchive, summarizeArchive } from './read-archive.ts'

const MODULE = import.meta.resolve('./read-archive.ts')
const READ = defineTask<typeof readArchive>(MODULE, 'readArchive')
const SUMMARIZE = defineTask<typeof summarizeArchive>(MODULE, 'summarizeArchive')

/** Why an archive is not imported. `problem` is a message for the user. */
export interface ImportRefusal {
  readonly kind: 'refused'
  readonly problem: string
}

/** The outcome of an import. */
export type ImportOutcome = CreateRepositoryOutcome | ImportRefusal

/** Dependencies of an import. */
export interface ImportStores extends CommitStores {
  readonly parsers: Parsers
}

/** Describes an archive without importing it. */
export async function inspectArchive(
  { parsers }: { readonly parsers: Parsers },
  upload: ImportSource,
  ownerId: string,
): Promise<ArchiveSummary | ImportRefusal> {
  const options = { ownerId, timeLimitMs: importLimits.timeMs }
  return settle(await parsers.run(SUMMARIZE, upload, options))
}

/**
 * Creates a repository whose first commit has the files of an archive, with the owner as author, and queues its builds
 * like a push. If the archive or git refuses the files, there is no repository.
 */
export async function importArchive(
  stores: ImportStores,
  details: Omit<RepositoryDetails, 'firstCommit'>,
  upload: ImportSource,
): Promise<ImportOutcome> {
  const { owner } = details
  const options = { ownerId: owner.id, timeLimitMs: importLimits.timeMs }
  const archive = settle(await stores.parsers.run(READ, upload, options))
  if (archive.kind === 'refused') return archive
  const changes = [...archive.files].map(
    ([path, bytes]) => ({ kind: 'write', path, bytes, isExecutable: false }) as const,
  )
  return createWithFiles(stores, details, { changes, message: 'Import files' })
}

function settle<Result>(outcome: TaskOutcome<Result | ImportRefusal>): Result | ImportRefusal {
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'failed':
      throw new Error('read an archive', { cause: outcome.error })
    case 'timed-out':
      return refuse(
        `The archive takes more than ${importLimits.timeMs / 1_000} s to read. Remove files that the document does not need.`,
      )
    case 'out-of-memory':
      return refuse('The archive needs too much memory. Remove files that the document does not need.')
    default:
      return refuse('The server is busy. Try again in a moment.')
  }
}

function refuse(problem: string): ImportRefusal {
  return { kind: 'refused', problem }
}
