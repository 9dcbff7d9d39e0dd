/** Reads the logs of a build from the cache. Runs in a worker thread: logs have many megabytes. */
import type { RawPassLog } from '@texproof/platex'

import { readCacheFile } from './cache-file.ts'
import type { PassTail } from './pass-logs.ts'

/** More than `boundPassLogs` keeps of all passes of a build. */
const MAX_BYTES = 512 * 1024 * 1024

/** Every pass with the last characters of its log; null if it is no longer in the cache. */
export async function readPassTails({
  path,
  length,
}: {
  readonly path: string
  readonly length: number
}): Promise<readonly PassTail[] | null> {
  const logs = await readLogs(path)
  return logs?.map(({ passNumber, engine, log }) => ({ passNumber, engine, tail: log.slice(-length) })) ?? null
}

/** The output of one pass; null if it is no longer in the cache. */
export async function readPassLog({
  path,
  passNumber,
}: {
  readonly path: string
  readonly passNumber: number
}): Promise<string | null> {
  const pass = (await readLogs(path))?.find((each) => each.passNumber === passNumber)
  if (pass === undefined) return null
  return pass.log === '' ? `${pass.stdout}${pass.stderr}` : pass.log
}

async function readLogs(path: string): Promise<readonly RawPassLog[] | null> {
  const kept = await readCacheFile(path, { maxBytes: MAX_BYTES })
  return Array.isArray(kept) ? kept : null
}
