import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { reniceProcess } from '../limits/priority.ts'

/** A program to start, as the leader of a session and process group of its own. */
export interface ChildCommand {
  /** Absolute path, or a name to find in the PATH of `env`. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** @default the user and group of this process */
  readonly owner?: { readonly uid: number; readonly gid: number } | null
  /** @default 0 */
  readonly niceness?: number
}

/** A descriptor of a child: a file to read, the other end of a new pipe, or a socket. */
export type ChildDescriptor = 'ignore' | 'pipe' | { readonly file: string } | Socket

/** Starts a program in this process. Descriptors are numbered in their order. */
export function startChild(command: ChildCommand, descriptors: readonly ChildDescriptor[]): ChildProcess {
  const { program, args, cwd, env, owner = null, niceness = 0 } = command
  const files: number[] = []
  try {
    const stdio = descriptors.map((descriptor) => {
      if (typeof descriptor === 'string' || !('file' in descriptor)) return descriptor
      // Its position is shared with the child, so every child gets its own.
      files.push(openSync(descriptor.file, 'r'))
      return files.at(-1)
    })
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio, ...owner })
    if (niceness > 0 && child.pid !== undefined) reniceProcess(child.pid, niceness)
    return child
  } finally {
    for (const file of files) closeSync(file)
  }
}
