import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { runProgram } from '../programs/run-program.ts'

/** File systems that can be created. */
export const fileSystems = ['ext4', 'xfs', 'btrfs'] as const
export type FileSystem = (typeof fileSystems)[number]

const DISK_BYTES = 1024 ** 3

/** A file system in a file. */
export interface LoopDisk {
  /** Mount point. */
  readonly folder: string
  /** Copies what has been written to the device so far; nothing may write to the file system meanwhile. */
  copy(): Promise<void>
  /** Mounts the copy instead. No process may use the folder. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** Creates it and mounts it. @throws Error without root or the `mkfs` program */
export async function openLoopDisk(fileSystem: FileSystem): Promise<LoopDisk> {
  const place = mkdtempSync(join(tmpdir(), 'texproof-disk-'))
  const [image, copied, folder] = [join(place, 'disk'), join(place, 'copy'), join(place, 'mounted')]
  mkdirSync(folder)
  writeFileSync(image, '')
  truncateSync(image, DISK_BYTES)
  let isMounted = false

  // XFS refuses a copy beside the original, which sandboxes that have not ended yet may keep.
  const options = fileSystem === 'xfs' ? 'loop,nouuid' : 'loop'

  async function mount(): Promise<void> {
    await run('/usr/bin/mount', ['-o', options, image, folder])
    isMounted = true
  }

  /** A process that was killed keeps it busy for a moment. */
  async function unmount(): Promise<void> {
    await eventually(() => runProgram('/usr/bin/umount', [folder]), { until: ({ exitCode }) => exitCode === 0 })
    isMounted = false
  }

  async function countWrites(): Promise<string> {
    const device = await run('/usr/sbin/losetup', ['--noheadings', '--output', 'NAME', '--associated', image])
    const numbers = (await readFile(`/sys/block/${basename(device)}/stat`, 'utf8')).trim().split(/\s+/)
    // Completed writes, and operations in flight.
    return `${numbers[4]} ${numbers[8]}`
  }

  await run(`/usr/sbin/mkfs.${fileSystem}`, ['-q', image])
  await mount()
  return {
    folder,
    async copy() {
      // The file system may write in the background: a copy counts only if it has not.
      for (let before = await countWrites(), after = ''; before !== after;) {
        before = await countWrites()
        await run('/usr/bin/cp', ['--sparse=always', image, copied])
        after = await countWrites()
      }
    },
    async restore() {
      await unmount()
      renameSync(copied, image)
      await mount()
    },
    async close() {
      if (isMounted) await unmount()
      rmSync(place, { recursive: true })
    },
  }
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(program, args)
  if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}
