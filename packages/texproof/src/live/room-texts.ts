/** The texts of all rooms, in a thread that starts with the first: the cost of an update is not linear in its size. */
import { createWorkerPool } from '@texproof/platex/worker'
import type { TaskOutcome, TaskResult } from '@texproof/platex/worker'

import type { RoomSource, RoomTasks, RoomText } from './room-thread.ts'
import { RoomLost } from './room.ts'
import type { Room } from './room.ts'

const CHANGE_LIMIT_MS = 2_000
/** Time limit of tasks that process the whole history of a text. */
export const WHOLE_LIMIT_MS = 20_000

/** Ends of the thread that an update has caused. */
const HARMFUL: ReadonlySet<string> = new Set(['timed-out', 'out-of-memory'])

export interface RoomTexts {
  /** @throws RoomLost */
  open(name: string, source: RoomSource): Promise<RoomText>
  /**
   * Runs a task on the text of a room.
   *
   * @throws RoomLost
   */
  run<Name extends keyof RoomTasks & string>(
    room: Room,
    name: Name,
    input: Omit<Parameters<RoomTasks[Name]>[0], 'room'>,
    timeLimitMs?: number,
  ): Promise<TaskResult<RoomTasks, Name>>
  close(room: Room): Promise<void>
  /** Ends the thread. */
  end(): Promise<void>
}

/** `onLost` is called when a task of a room fails; `room` = null if the texts of all rooms have ended with the thread. */
export function openRoomTexts(onLost: (room: Room | null, cause: unknown) => void): RoomTexts {
  const pool = createWorkerPool<RoomTasks>(new URL('room-thread.ts', import.meta.url), {
    threads: 1,
    memoryLimitMb: 512,
    maxQueued: 20_000,
    maxQueuedPerRequester: 2_000,
    // The texts are in the thread: it never ends for lack of use.
    idleLimitMs: 2 ** 31 - 1,
  })
  return {
    async open(name, source) {
      const options = { requester: name, timeLimitMs: WHOLE_LIMIT_MS }
      const outcome = await pool.run('open', { room: name, source }, options)
      if (outcome.kind !== 'done') throw new RoomLost(outcome.kind)
      return outcome.value
    },

    async run(room, name, input, timeLimitMs = CHANGE_LIMIT_MS) {
      const call = { room: room.name, ...input } as Parameters<RoomTasks[typeof name]>[0]
      const options = { requester: room.name, timeLimitMs }
      const outcome: TaskOutcome<TaskResult<RoomTasks, typeof name>> = await pool.run(name, call, options)
      if (outcome.kind === 'done') return outcome.value
      if (isHarmful(outcome.kind)) onLost(null, outcome.kind)
      else onLost(room, outcome.kind === 'failed' ? outcome.error : outcome.kind)
      throw new RoomLost(outcome.kind)
    },

    async close(room) {
      await pool.run('close', { room: room.name }, { requester: room.name })
    },

    end: () => pool.close(),
  }
}

/** Whether an update has ended the thread. */
export function isHarmful(cause: string): boolean {
  return HARMFUL.has(cause)
}
