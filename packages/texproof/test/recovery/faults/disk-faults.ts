/** Faults of the disk: `fail-disk.c`, compiled, and the file by which a test controls it. */
import { chmodSync, closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

import { runProgram } from '../../support/programs/run-program.ts'

/** `kill` ends the process in place of the call; the others are what the call fails with. */
export type DiskFault = 'kill' | 'EMFILE' | 'ENOSPC' | 'EIO'

/** Kinds of calls, as in `fail-disk.c`. */
const kinds = { create: 1, write: 2, sync: 4, name: 8, read: 16, pipe: 32, open: 64, remove: 128 }

/** The calls that can fail in this way. */
const kindsOf: Readonly<Record<DiskFault, number>> = {
  kill: kinds.create | kinds.write | kinds.sync | kinds.name | kinds.remove,
  EMFILE: kinds.create | kinds.open | kinds.pipe,
  ENOSPC: kinds.create | kinds.write | kinds.sync | kinds.name,
  EIO: kinds.create | kinds.open | kinds.write | kinds.sync | kinds.name | kinds.remove | kinds.read,
}

/** Compiles the library into a folder; null without a C compiler. */
export async function compileDiskFaults(folder: string): Promise<string | null> {
  const library = join(folder, 'fail-disk.so')
  const source = join(import.meta.dirname, 'fail-disk.c')
  const built = await runProgram('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']).catch(() => null)
  if (built === null) return null
  if (built.exitCode !== 0) throw new Error(`compile ${source}: ${built.stderr}`)
  // The host gives git an environment of its own, without LD_PRELOAD.
  const git = join(folder, 'git')
  const environment = `LD_PRELOAD=${library} FAULT_CONTROL=${join(folder, 'control')} FAULT_FOLDER=${join(folder, 'disk-')}`
  writeFileSync(git, `#!/bin/sh\nexec /usr/bin/env ${environment} /usr/bin/git "$@"\n`)
  chmodSync(git, 0o755)
  writeFileSync(join(folder, 'control'), Buffer.alloc(64))
  return library
}

/** Environment of a process whose files below `disk-…` of the folder fail. */
export function diskFaultEnvironment(folder: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: join(folder, 'fail-disk.so'),
    FAULT_CONTROL: join(folder, 'control'),
    FAULT_FOLDER: join(folder, 'disk-'),
  }
}

/** Controls the faults of all processes with this environment. */
export interface DiskFaultControl {
  /** Makes the call number `step` fail, and with `isLasting` every later one. */
  arm(fault: DiskFault, options: { readonly step: number; readonly isLasting: boolean }): void
  /** Ends the faults; gives how many there were. */
  disarm(): number
  close(): void
}

/** Opens the control of a folder. */
export function openDiskFaultControl(folder: string): DiskFaultControl {
  const file = openSync(join(folder, 'control'), 'r+')
  const write = (numbers: readonly number[]): void => {
    writeSync(file, Buffer.from(BigInt64Array.from(numbers, BigInt).buffer), 0, 8 * numbers.length, 0)
  }
  return {
    arm(fault, { step, isLasting }) {
      const error = fault === 'kill' ? -1 : constants.errno[fault]
      write([0, step, error, Number(isLasting), 0, 0, kindsOf[fault]])
      write([1])
    },
    disarm() {
      write([0])
      const hits = Buffer.alloc(8)
      readSync(file, hits, 0, 8, 40)
      return Number(hits.readBigInt64LE())
    },
    close: () => closeSync(file),
  }
}
