/**
 * The files of one commit as an archive, streamed from `git archive`.
 *
 * Attributes that the tree itself brings are obeyed as far as they are its author's to say: `export-ignore` leaves
 * files out, `export-subst` fills in the commit. A filter runs a program, so none is ever configured, and naming one
 * does nothing. Links are packed as links and submodules as empty folders: nothing outside of the tree is read.
 */
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

import { collect, killedExitCode, maxStderrBytes } from './run-git.ts'
import { killGroup, spawnGit } from './spawn-git.ts'

export const archiveFormats = ['zip', 'tar.gz'] as const

export type ArchiveFormat = (typeof archiveFormats)[number]

/** What to pack. */
export interface ArchiveOptions {
  readonly commitId: string
  readonly format: ArchiveFormat
  /** Name of the one folder at the top, without a slash. */
  readonly folder: string
}

/** An archive on its way. */
export interface OpenedArchive {
  /** Fails when git fails, when the reader takes nothing for a minute, or after ten minutes. */
  readonly body: ReadableStream<Uint8Array>
  /** Resolves when git has ended, for whatever reason. */
  readonly ended: Promise<void>
}

const MAX_MS = 10 * 60_000
/** A reader that takes nothing for this long is taken for gone. */
const STALL_MS = 60_000

/** Starts git. Whoever does not read the body cancels it. */
export function openArchive(gitDir: string, options: ArchiveOptions & { readonly searchPath: string }): OpenedArchive {
  const { commitId, format, folder, searchPath } = options
  const kind = format === 'zip' ? 'zip' : 'tar'
  const args = [`--git-dir=${gitDir}`, 'archive', `--format=${kind}`, `--prefix=${folder}/`, commitId]
  const child = spawnGit(args, { gitDir, searchPath })
  child.stdin.on('error', () => {}) // git has ended before it could be told that there is no input
  child.stdin.end()
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  const exit = Promise.withResolvers<number>()
  child.once('error', () => exit.resolve(killedExitCode))
  // Not `close`, which waits for somebody to read what nobody wants any more.
  child.once('exit', (code) => exit.resolve(code ?? killedExitCode))
  const stop = (): void => {
    killGroup(child, 'SIGKILL')
    child.stdout.destroy()
  }
  const deadline = setTimeout(stop, MAX_MS)
  const ended = exit.promise.then(() => clearTimeout(deadline))

  async function* read(): AsyncGenerator<Uint8Array> {
    // Not `pipe`: it would leave the reader waiting for ever when git is stopped.
    yield* format === 'zip' ? child.stdout : pipeline(child.stdout, createGzip(), () => {})
    const exitCode = await exit.promise
    if (exitCode !== 0) throw new Error(`archive: git ended with ${exitCode}: ${stderr().toString().trim()}`)
  }

  return { body: toBody(read(), stop), ended }
}

function toBody(chunks: AsyncGenerator<Uint8Array>, stop: () => void): ReadableStream<Uint8Array> {
  let stall: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stall)
        const next = await chunks.next()
        if (next.done === true) {
          controller.close()
          return
        }
        controller.enqueue(next.value)
        stall = setTimeout(() => {
          stop()
          controller.error(new Error('archive: the reader has stalled'))
        }, STALL_MS)
      },
      cancel() {
        clearTimeout(stall)
        stop()
      },
    },
    { highWaterMark: 0 },
  )
}
