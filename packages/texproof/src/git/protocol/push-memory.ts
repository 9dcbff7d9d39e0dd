/**
 * Memory of all pushes of a server.
 *
 * A pack of a few kilobytes can make git use all memory that it may. Most pushes need little: the first ones at a time have
 * the limit that the largest objects need, one for each user, and the others a smaller one. As memory is used only by pushes that
 * run, their number is limited too. One user has at most a quarter of the places, so that slow uploads do not block others.
 */
import { totalmem } from 'node:os'

const MEBIBYTE = 1024 * 1024

/** Limits of the private memory of one process of a push. */
export const PUSH_MEMORY = {
  /** An object, its base and git's cache. */
  largeBytes: 1_280 * MEBIBYTE,
  /** Objects up to about 80 MB, and the index of a million objects. */
  smallBytes: 256 * MEBIBYTE,
} as const

/** Parts of the memory of the machine: together at most half. */
const LARGE_SHARE = 0.2
const SMALL_SHARE = 0.3
const MIN_AT_ONCE = 4

/** Maximum numbers of concurrent pushes of a server. */
export interface PushLimits {
  /** Number of concurrent pushes with the full memory limit. */
  readonly largeAtOnce: number
  readonly atOnce: number
  readonly atOncePerUser: number
}

/** The limits for a machine. */
export function limitPushes(machineBytes: number = measureMachine()): PushLimits {
  const atOnce = Math.max(MIN_AT_ONCE, Math.floor((SMALL_SHARE * machineBytes) / PUSH_MEMORY.smallBytes))
  return {
    largeAtOnce: Math.max(1, Math.floor((LARGE_SHARE * machineBytes) / PUSH_MEMORY.largeBytes)),
    atOnce,
    atOncePerUser: Math.floor(atOnce / 4),
  }
}

/** Gives each push its limit. */
export interface PushMemory {
  /** Call `release` when the push is over. */
  take(userId: string): { readonly maxBytes: number; readonly release: () => void }
}

/** Creates the limits of a server that gives the full one to `largeAtOnce` pushes. */
export function createPushMemory(largeAtOnce: number): PushMemory {
  const holders = new Map<symbol, string>()
  return {
    take(userId) {
      const hasRoom = holders.size < largeAtOnce && ![...holders.values()].includes(userId)
      const holder = Symbol(userId)
      if (hasRoom) holders.set(holder, userId)
      return {
        maxBytes: hasRoom ? PUSH_MEMORY.largeBytes : PUSH_MEMORY.smallBytes,
        release: () => void holders.delete(holder),
      }
    },
  }
}

/** Memory of the machine, or of the container. */
function measureMachine(): number {
  const limit = process.constrainedMemory()
  return Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem())
}
