import type { WaitingCommand } from '../types.ts'

/** A command that compiles have asked for. */
export interface Demand {
  readonly command: WaitingCommand
  readonly usedAtMs: number
  /** Memory of one program, as measured; an estimate at first. */
  readonly memoryBytes: number
  readonly failureCount: number
}

/** How the start of a program ended. */
export interface StartResult {
  readonly isFailed: boolean
  readonly memoryBytes?: number
}

/** The commands of recent compiles, which determine what programs wait for the next ones. */
export interface ProgramDemands {
  /** Notes that a compile needs this command; returns its key. */
  note(command: WaitingCommand): string
  /** How many of `maxCount` programs should wait for each key: one for each recent command, then another. */
  plan(maxCount: number): ReadonlyMap<string, number>
  find(key: string): Demand | null
  noteStart(command: WaitingCommand, result: StartResult): void
  /** Forgets commands that were not used for an hour, except the newest. */
  forgetOld(): void
}

/** Of a program whose memory was not measured yet. */
export const ESTIMATED_BYTES = 100 * 1024 * 1024
const MAX_PER_COMMAND = 2
const MAX_COMMANDS = 8
const MAX_FAILURES = 3
const FORGET_AFTER_MS = 60 * 60_000

export function createProgramDemands(): ProgramDemands {
  /** Least recently used first. */
  const demands = new Map<string, Demand>()
  return {
    note(command) {
      const key = keyOf(command)
      const known = demands.get(key)
      demands.delete(key)
      const unknown = { memoryBytes: ESTIMATED_BYTES, failureCount: 0 }
      demands.set(key, { ...(known ?? unknown), command, usedAtMs: Date.now() })
      const [oldest] = demands.keys()
      if (demands.size > MAX_COMMANDS && oldest !== undefined) demands.delete(oldest)
      return key
    },
    plan(maxCount) {
      const recent = [...demands].filter(([, demand]) => demand.failureCount < MAX_FAILURES).toReversed()
      const planned = new Map<string, number>()
      const slots = Array.from({ length: MAX_PER_COMMAND }, () => recent.map(([key]) => key))
        .flat()
        .slice(0, maxCount)
      for (const key of slots) planned.set(key, (planned.get(key) ?? 0) + 1)
      return planned
    },
    find: (key) => demands.get(key) ?? null,
    noteStart(command, { isFailed, ...measured }) {
      const key = keyOf(command)
      const latest = demands.get(key)
      if (latest === undefined) return
      demands.set(key, { ...latest, ...measured, failureCount: isFailed ? latest.failureCount + 1 : 0 })
    },
    forgetOld() {
      const forgotten = Date.now() - FORGET_AFTER_MS
      const newest = [...demands.keys()].at(-1)
      for (const [key, demand] of demands) {
        if (demand.usedAtMs < forgotten && key !== newest) demands.delete(key)
      }
    },
  }
}

/** Commands with the same key are interchangeable, whatever their time. */
export function keyOf({ program, fontMap = 'whole', args, folder }: WaitingCommand): string {
  return JSON.stringify([program, fontMap, folder, ...args])
}
