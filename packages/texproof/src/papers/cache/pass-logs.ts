import type { RawPassLog } from '@texproof/platex'

import type { Parsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { readPassLog, readPassTails } from './read-pass-logs.ts'

/** The end of the output of one pass. */
export interface PassTail {
  readonly passNumber: number
  readonly engine: RawPassLog['engine']
  readonly tail: string
}

const MODULE = import.meta.resolve('./read-pass-logs.ts')
const READ_TAILS = defineTask<typeof readPassTails>(MODULE, 'readPassTails')
const READ_ONE = defineTask<typeof readPassLog>(MODULE, 'readPassLog')

/** Every pass with the end of its log; null if it is no longer in the cache. */
export async function findPassTails(
  parsers: Parsers,
  { path, ownerId, length }: { readonly path: string; readonly ownerId: string; readonly length: number },
): Promise<readonly PassTail[] | null> {
  const outcome = await parsers.run(READ_TAILS, { path, length }, { ownerId })
  return outcome.kind === 'done' ? outcome.value : null
}

/** The output of one pass; null if it is no longer in the cache. */
export async function findPassLog(
  parsers: Parsers,
  { path, ownerId, passNumber }: { readonly path: string; readonly ownerId: string; readonly passNumber: number },
): Promise<string | null> {
  const outcome = await parsers.run(READ_ONE, { path, passNumber }, { ownerId })
  return outcome.kind === 'done' ? outcome.value : null
}
