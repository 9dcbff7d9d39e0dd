import type { RawPassLog } from '@texproof/platex'

import type { Parsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { readPassLog, readPassTails } from './read-pass-logs.ts'

/** Characters kept of the output of one program: a document can make TeX print endlessly. */
const MAX_KEPT_LENGTH = 4 * 1024 * 1024
/** Of these, characters from the beginning. */
const KEPT_HEAD = 512 * 1024

/** The end of the output of one pass. */
export interface PassTail {
  readonly passNumber: number
  readonly engine: RawPassLog['engine']
  readonly tail: string
}

const MODULE = import.meta.resolve('./read-pass-logs.ts')
const READ_TAILS = defineTask<typeof readPassTails>(MODULE, 'readPassTails')
const READ_ONE = defineTask<typeof readPassLog>(MODULE, 'readPassLog')

/** The logs as they are stored: only the beginning and the end of very long ones. */
export function boundPassLogs(logs: readonly RawPassLog[]): readonly RawPassLog[] {
  return logs.map((pass) => ({
    ...pass,
    log: bound(pass.log),
    stdout: bound(pass.stdout),
    stderr: bound(pass.stderr),
  }))
}

function bound(text: string): string {
  if (text.length <= MAX_KEPT_LENGTH) return text
  const tail = text.slice(KEPT_HEAD - MAX_KEPT_LENGTH)
  return `${text.slice(0, KEPT_HEAD)}\n[${text.length - MAX_KEPT_LENGTH} characters omitted]\n${tail}`
}

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
