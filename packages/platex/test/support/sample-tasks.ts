/** Tasks for the tests of the worker pool: each misbehaves in one way. */
import { setTimeout as sleep } from 'node:timers/promises'

import { serveTasks, transferring } from '../../src/api/worker.ts'

export const sampleTasks = {
  double: (value: number): number => value * 2,
  wait: async (ms: number): Promise<string> => {
    await sleep(ms)
    return 'waited'
  },
  loop: (): never => {
    for (;;) continue
  },
  /** Backtracks practically forever. */
  backtrack: (length: number): boolean => /^(a+)+$/.test(`${'a'.repeat(length)}b`),
  grow: (): number => {
    const kept: string[][] = []
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => `${kept.length} ${at}`))
  },
  fail: (message: string): never => {
    throw new RangeError(message)
  },
  failLater: (): string => {
    setTimeout(() => {
      throw new Error('nobody waits for this')
    }, 10)
    return 'answered'
  },
  exit: (): never => process.exit(3),
  fill: (bytes: Uint8Array<ArrayBuffer>): Uint8Array => transferring(bytes.fill(7), [bytes.buffer]),
  print: (text: string): string => {
    process.stdout.write(text)
    process.stderr.write(text)
    return text
  },
}

serveTasks(sampleTasks)
