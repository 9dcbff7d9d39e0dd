import { shorten } from '@texproof/platex/tar'

import { formatBytes } from '../../domain/text/format-bytes.ts'

/** Limits of one import. The upload itself is limited by the form that carries it. */
export const importLimits = {
  /** Files, folders and everything else that an archive lists. */
  entries: 5_000,
  files: 2_000,
  fileBytes: 50 * 1024 ** 2,
  unpackedBytes: 64 * 1024 ** 2,
  /** Unpacked bytes per byte of the archive. LaTeX sources and EPS figures stay under 50. */
  ratio: 100,
  /** The ratio of smaller contents does not matter. */
  ratioFromBytes: 5e6,
  timeMs: 20_000,
} as const

/** An archive that is not imported. The message is shown to the user. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
}

/** An entry of an archive that has not been unpacked yet. */
export interface ArchiveEntry {
  /** Name in the archive, decoded; `/`-separated. */
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'hard-link' | 'device'
  /** Bytes of the unpacked file, as declared. */
  readonly size: number
  /**
   * Unpacks the file.
   *
   * @throws ArchiveRefused when it is damaged.
   */
  readonly unpack: () => Uint8Array
}

/** Checks the declared sizes before anything is unpacked. `archiveBytes` = size of the compressed archive. */
export function checkUnpackedSize(entries: readonly ArchiveEntry[], archiveBytes: number): void {
  const { entries: maxEntries, files, fileBytes, unpackedBytes, ratio, ratioFromBytes } = importLimits
  if (entries.length > maxEntries)
    throw new ArchiveRefused(
      `The archive has more than ${formatCount(maxEntries)} entries. Remove files that the document does not need.`,
    )
  const plain = entries.filter(({ kind }) => kind === 'file')
  if (plain.length > files)
    throw new ArchiveRefused(
      `The archive has ${formatCount(plain.length)} files, and the limit is ${formatCount(files)}. Remove files that the document does not need.`,
    )
  const large = plain.find(({ size }) => size > fileBytes)
  if (large !== undefined)
    throw new ArchiveRefused(
      `"${shorten(large.name)}" unpacks to more than ${formatBytes(fileBytes)}, the limit for one file. Remove it, or make it smaller.`,
    )
  const totalBytes = plain.reduce((sum, { size }) => sum + size, 0)
  if (totalBytes > unpackedBytes)
    throw new ArchiveRefused(
      `The archive unpacks to more than ${formatBytes(unpackedBytes)}. Remove files that the document does not need.`,
    )
  if (totalBytes > ratioFromBytes && totalBytes > ratio * archiveBytes)
    throw new ArchiveRefused(
      `The archive unpacks to more than ${ratio} times its size, like a zip bomb. Create it again from the files of the paper.`,
    )
}

function formatCount(count: number): string {
  return count.toLocaleString('en')
}
