/**
 * An input file that is a named pipe: a program reads its beginning, and waits where the rest is missing.
 *
 * The pipe is made in an empty workspace, and its folder is held open, so that nothing a document does there later can
 * lead a write of this process elsewhere.
 */
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { lstat, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { posix } from 'node:path'
import { spawnProgram } from '../spawner/spawner.ts'

export interface InputPipe {
  /** Writes without waiting for the program. */
  write(bytes: Uint8Array): void
  /** True when the kernel has taken everything written so far. */
  isFlushed(): boolean
  /** Writes the end of the file. */
  end(bytes: Uint8Array): void
  /** Puts a plain file under the name of the pipe; the program keeps the pipe. */
  replaceByFile(content: Uint8Array): Promise<void>
  close(): void
}

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }

/** Makes the pipe; rejects if the system does not. */
export async function openInputPipe(workspaceDir: string, path: string): Promise<InputPipe> {
  const name = posix.basename(path)
  const folder = openSync(posix.join(workspaceDir, posix.dirname(path)), constants.O_RDONLY | constants.O_DIRECTORY)
  const inFolder = `/proc/${process.pid}/fd/${folder}/${name}`
  try {
    await makePipe(inFolder)
    // For reading as well: opening it for writing only would wait for a reader, and fail once the program has ended.
    const flags = constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW
    return pipeOn(openSync(inFolder, flags), { folder, name })
  } catch (error) {
    closeSync(folder)
    throw error
  }
}

/**
 * Replaces files of a workspace while its program is suspended, or removes those with null; rejects if the document has put something else in place of
 * a folder, because a write through a link would leave the workspace.
 */
export async function replaceFiles(workspaceDir: string, files: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
  for (const [path, content] of files) {
    const names = path.split('/')
    for (let depth = 1; depth < names.length; depth += 1) {
      const folder = posix.join(workspaceDir, ...names.slice(0, depth))
      if (!(await lstat(folder)).isDirectory()) throw new Error(`not a folder: ${folder}`)
    }
    await rm(posix.join(workspaceDir, path), { force: true, recursive: true })
    if (content !== null) await writeFile(posix.join(workspaceDir, path), content, { flag: 'wx' })
  }
}

async function makePipe(path: string): Promise<void> {
  const command = { program: 'mkfifo', args: ['-m', '600', path], cwd: '/', env: ENVIRONMENT }
  const [exitCode] = (await once(spawnProgram(command, ['ignore', 'ignore', 'ignore']), 'exit')) as [number | null]
  if (exitCode !== 0) throw new Error(`mkfifo ended with ${exitCode}`)
}

function pipeOn(descriptor: number, { folder, name }: { readonly folder: number; readonly name: string }): InputPipe {
  const socket = new Socket({ fd: descriptor, readable: false, writable: true })
  socket.on('error', () => socket.destroy()) // The program misses input and reports that.
  socket.unref()
  let isOpen = true
  return {
    write: (bytes) => void socket.write(bytes),
    isFlushed: () => socket.writableLength === 0,
    end: (bytes) => void socket.write(bytes, () => socket.destroy()),
    async replaceByFile(content) {
      const path = `/proc/self/fd/${folder}/${name}`
      await rm(path, { force: true, recursive: true })
      await writeFile(path, content, { flag: 'wx' })
    },
    close() {
      socket.destroy()
      if (isOpen) closeSync(folder)
      isOpen = false
    },
  }
}
