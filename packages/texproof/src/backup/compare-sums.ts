import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'

import { showName } from './backup-entries.ts'

/** If the list is longer by more than this, it is not read: its lines may have any length. */
const maxMissingBytes = 1024 * 1024

/**
 * Compares the hashes of the entries with the list in the backup. Both are files in the order of the entries, so the
 * first difference names the invalid entry. Returns a message, or null if they are equal.
 */
export async function compareSums(files: {
  readonly counted: string
  readonly listed: string
}): Promise<string | null> {
  const [counted, listed] = await Promise.all([stat(files.counted), stat(files.listed)])
  if (listed.size > counted.size + maxMissingBytes) return 'many entries are missing'
  const streams = [createReadStream(files.counted), createReadStream(files.listed)] as const
  try {
    const [countedLines, listedLines] = streams.map((input) => createInterface({ input })[Symbol.asyncIterator]())
    for (;;) {
      const [line, other] = [await next(countedLines), await next(listedLines)]
      if (line !== other) return describe(line, other, await next(listedLines))
      if (line === null) return null
    }
  } finally {
    for (const stream of streams) stream.destroy()
  }
}

/** Null at the end. */
async function next(lines: AsyncIterator<string> | undefined): Promise<string | null> {
  const found = await lines?.next()
  return found?.done === false ? found.value : null
}

/** `afterOther` is the line of the list after the one that differs. */
function describe(line: string | null, other: string | null, afterOther: string | null): string {
  const name = nameOf(line)
  if (other !== null && (name === null || nameOf(afterOther) === name))
    return `${showName(nameOf(other) ?? '')} is missing`
  return nameOf(other) === name ? `${name} has a wrong checksum` : `${name} has no checksum`
}

function nameOf(line: string | null): string | null {
  return line?.slice(66) ?? null
}
