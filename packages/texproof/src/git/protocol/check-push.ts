import { refuseRefName } from '../../domain/git/ref-names.ts'
import type { PushCommand } from './parse-push-line.ts'
import type { PushCommands } from './read-push-commands.ts'

/** Maximum ref updates of one push. */
export const maxRefUpdates = 20_000

/** Why a larger push is refused. A function, because the first formatted number takes milliseconds of a start. */
export function tooManyRefs(): string {
  return `one push can change at most ${maxRefUpdates.toLocaleString('en')} branches and tags`
}

/** A refused ref of a push and the reason, in one line. */
export interface RefRefusal {
  readonly refBytes: Uint8Array
  readonly reason: string
}

/** The commands that are passed to git, and those that this host refuses. */
export interface CheckedPush {
  readonly accepted: readonly PushCommand[]
  readonly refusals: readonly RefRefusal[]
}

/**
 * Checks every ref name of a push. Refs are refused individually: a mirror push with `refs/remotes/` and `refs/pull/`
 * still updates branches and tags. If the client requested `atomic`, all refs are refused.
 */
export function checkPush({ commands, capabilities }: PushCommands): CheckedPush {
  if (commands.length > maxRefUpdates) return { accepted: [], refusals: refuseAll(commands, tooManyRefs()) }
  const accepted: PushCommand[] = []
  const refusals: RefRefusal[] = []
  for (const command of commands) {
    const reason = command.isText ? refuseRefName(command.ref) : 'the name is not UTF-8'
    if (reason === null) accepted.push(command)
    else refusals.push({ refBytes: command.refBytes, reason })
  }
  if (refusals.length === 0 || !capabilities.has('atomic')) return { accepted, refusals }
  return {
    accepted: [],
    refusals: [...refusals, ...refuseAll(accepted, 'atomic push failed: another ref was rejected')],
  }
}

/** Refuses all of these refs with the same reason. */
export function refuseAll(commands: readonly PushCommand[], reason: string): readonly RefRefusal[] {
  return commands.map(({ refBytes }) => ({ refBytes, reason }))
}
