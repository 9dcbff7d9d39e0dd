import { refuseRefName } from '../../domain/git/ref-names.ts'
import type { PushCommand } from './parse-push-line.ts'
import type { PushCommands } from './read-push-commands.ts'

/** Ref updates in one push at most. */
export const maxRefUpdates = 5_000

/** Why a push of more is refused. */
export const tooManyRefs = `one push can move ${maxRefUpdates.toLocaleString('en')} branches and tags at most`

/** One ref of a push and why it is not taken, in one line. */
export interface RefRefusal {
  readonly refBytes: Uint8Array
  readonly reason: string
}

/** The commands of a push that git sees, and those that this host refuses. */
export interface CheckedPush {
  readonly accepted: readonly PushCommand[]
  readonly refusals: readonly RefRefusal[]
}

/**
 * Checks every ref name of a push. A refused ref fails alone, so that a mirror of a clone, with its
 * `refs/remotes/` and `refs/pull/`, brings its branches and tags; a client that asked for `atomic` gets all or nothing.
 */
export function checkPush({ commands, capabilities }: PushCommands): CheckedPush {
  if (commands.length > maxRefUpdates) return { accepted: [], refusals: refuseAll(commands, tooManyRefs) }
  const accepted: PushCommand[] = []
  const refusals: RefRefusal[] = []
  for (const command of commands) {
    const reason = command.isText ? refuseRefName(command.ref) : 'the name is not UTF-8'
    if (reason === null) accepted.push(command)
    else refusals.push({ refBytes: command.refBytes, reason })
  }
  if (refusals.length === 0 || !capabilities.has('atomic')) return { accepted, refusals }
  return { accepted: [], refusals: [...refusals, ...refuseAll(accepted, 'atomic push failed: another ref is refused')] }
}

/** Refuses all of these refs for the same reason. */
export function refuseAll(commands: readonly PushCommand[], reason: string): readonly RefRefusal[] {
  return commands.map(({ refBytes }) => ({ refBytes, reason }))
}
