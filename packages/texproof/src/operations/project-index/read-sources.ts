import type { GitStore, TreeFile } from '../../git/types.ts'
import { readSourceText } from '../../domain/text/source-text.ts'
import type { SourceText } from './scan-source-file.ts'

const MAX_SOURCE_BYTES = 1024 ** 2
const READS_AT_ONCE = 16

/** Which files to read. */
export interface WantedSources {
  /** Matches the paths. */
  readonly isWanted: (path: string) => boolean
  readonly maxSources: number
  readonly maxTotalBytes: number
}

/** The files that `readSources` reads, and whether these are all that are wanted. Files over 1 MB never are. */
export function chooseSources(
  listed: readonly TreeFile[],
  { isWanted, maxSources, maxTotalBytes }: WantedSources,
): { readonly sources: readonly TreeFile[]; readonly isComplete: boolean } {
  let totalBytes = 0
  const wanted = listed.filter(
    ({ path, kind, size }) => (kind === 'file' || kind === 'executable') && size <= MAX_SOURCE_BYTES && isWanted(path),
  )
  const sources = wanted.slice(0, maxSources).filter(({ size }) => (totalBytes += size) <= maxTotalBytes)
  return { sources, isComplete: sources.length === wanted.length }
}

/** The texts of a commit's files, within limits. Files over 1 MB and files that are not UTF-8 text are omitted. */
export async function readSources(
  git: Pick<GitStore, 'readBlob'>,
  repositoryId: number,
  { listed, ...wantedSources }: WantedSources & { readonly listed: readonly TreeFile[] },
): Promise<readonly SourceText[]> {
  const wanted = chooseSources(listed, wantedSources).sources
  const sources: SourceText[] = []
  for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
    const group = wanted.slice(at, at + READS_AT_ONCE)
    const texts = await Promise.all(
      group.map(async ({ path, objectId, size }) => {
        const bytes = await git.readBlob(repositoryId, objectId, { maxBytes: size })
        const text = bytes === null ? null : readSourceText(bytes)
        return text === null ? [] : [{ path, text }]
      }),
    )
    sources.push(...texts.flat())
  }
  return sources
}
