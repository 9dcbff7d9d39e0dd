/**
 * The house's own answer to a push that it does not take.
 *
 * An HTTP error would show as `RPC failed; HTTP 422` and hide the reason. So the refusal is told in git's words, as a
 * report in which every ref is `ng`: the client prints ` ! [remote rejected] x -> x (reason)` and exits with 1.
 */
import { refuseRefName } from '../domain/ref-names.ts'
import type { PushCommands } from './parse-receive-pack-commands.ts'
import { encodePktLine, flushPkt } from './pkt-line.ts'
import { encodeSideBand } from './side-band.ts'
import type { RefUpdate } from './types.ts'

/** One ref of a push and why it is not taken. */
export interface RefRefusal {
  readonly ref: string
  readonly reason: string
}

/**
 * Judges every ref of a push by the house's rule for names; empty when all may pass.
 *
 * A push is taken whole or not at all: when one name is refused, the others are refused with it.
 */
export function refuseRefUpdates(updates: readonly RefUpdate[]): readonly RefRefusal[] {
  const reasons = updates.map(({ ref }) => ({ ref, reason: refuseRefName(ref) }))
  if (reasons.every(({ reason }) => reason === null)) return []
  return reasons.map(({ ref, reason }) => ({ ref, reason: reason ?? 'another ref of this push is refused' }))
}

/** Encodes the body of the answer to `git-receive-pack` that refuses these refs; status 200, as git expects. */
export function encodePushRefusal(commands: PushCommands, refusals: readonly RefRefusal[]): Uint8Array {
  const hasReport = commands.capabilities.has('report-status') || commands.capabilities.has('report-status-v2')
  const lines = ['unpack ok\n', ...refusals.map(({ ref, reason }) => `ng ${ref} ${reason}\n`)]
  const report = hasReport ? Buffer.concat([...lines.map(encodePktLine), flushPkt]) : new Uint8Array()
  if (commands.sideBand === null) return report
  return Buffer.concat([encodeSideBand(1, report, commands.sideBand), flushPkt])
}
