import type { GitStore, TreeFile } from '../../git/types.ts'
import { readSourceText } from '../../domain/text/source-text.ts'
import type { SourceText } from './scan-source-file.ts'

const MAX_SOURCE_BYTES = 1_000_000
const READS_AT_ONCE = 16

/** Which files to read. */
export interface WantedSources {
  /** Matches the paths. */
  readonly isWanted: (path: string) => boolean
  readonly maxSources: number
  readonly maxTotalBytes: number
}

/** The texts of a commit's files, within limits. Files over 1 MB and files that are not UTF-8 text are omitted. */
export async function readSources(
  git: Pick<GitStore, 'readBlob'>,
  repositoryId: number,
  { listed, isWanted, maxSources, maxTotalBytes }: WantedSources & { readonly listed: readonly TreeFile[] },
): Promise<readonly SourceText[]> {
  let totalBytes = 0
  const wanted = listed
    .filter(
      ({ path, kind, size }) =>
        (kind === 'file' || kind === 'executable') && size <= MAX_SOURCE_BYTES && isWanted(path),
    )
    .slice(0, maxSources)
    .filter(({ size }) => (totalBytes += size) <= maxTotalBytes)
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
