/** The word count of a document at a commit, with drafts. Sources are read in a worker thread; a commit is cached. */
import type { Parsers, TaskOutcome } from '../../base/open-parsers.ts'
import { createOutcomeCache } from '../../base/outcome-cache.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { GitStore } from '../../git/types.ts'
import { chooseSources, readSources } from '../project-index/read-sources.ts'
import type { WordCount, countWords } from './count-words.ts'

const COUNT = defineTask<typeof countWords>(import.meta.resolve('./count-words.ts'), 'countWords')
const MAX_FILES = 3_000
const LIMITS = { maxSources: 400, maxTotalBytes: 8_000_000 }

const counts = createOutcomeCache<WordCount | 'unreadable'>({
  maxSize: 4_000_000,
  sizeOf: (count) => JSON.stringify(count).length,
})

/** Counts the words of a document. Null if that takes too long, `unreadable` if its root file or too many sources cannot be read. */
export async function findWordCount(
  { git, parsers }: { readonly git: GitStore; readonly parsers: Parsers },
  {
    repositoryId,
    ownerId,
    commitId,
    rootFile,
    drafts,
  }: {
    readonly repositoryId: number
    readonly ownerId: string
    readonly commitId: string
    readonly rootFile: string
    /** Texts by path, in place of the files of the commit. */
    readonly drafts: ReadonlyMap<string, string>
  },
): Promise<WordCount | 'unreadable' | null> {
  const unreadable = { kind: 'done', value: 'unreadable' } as const
  const isWanted = (path: string): boolean => path === rootFile || /\.(?:tex|ltx|tikz)$/i.test(path)
  const count = async (): Promise<TaskOutcome<WordCount | 'unreadable'>> => {
    const listed = await git.listFiles(repositoryId, commitId, { maxFiles: MAX_FILES })
    if (listed === null || !chooseSources(listed, { ...LIMITS, isWanted }).isComplete) return unreadable
    const sources = await readSources(git, repositoryId, { ...LIMITS, isWanted, listed })
    const texts = new Map([...sources.map(({ path, text }) => [path, text] as const), ...drafts])
    if (!texts.has(rootFile)) return unreadable
    const files = [...texts].map(([path, text]) => ({ path, text }))
    return parsers.run(COUNT, { files, rootFile }, { ownerId })
  }
  const outcome = await (drafts.size === 0 ? counts.find(`${repositoryId} ${commitId} ${rootFile}`, count) : count())
  return outcome.kind === 'done' ? outcome.value : null
}
