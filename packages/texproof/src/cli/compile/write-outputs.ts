import { randomBytes } from 'node:crypto'
import { chmod, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'

import type { CompileResult } from '@texproof/platex'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import type { CompileCommandOptions } from './options.ts'

/**
 * Writes the requested outputs: the PDF, the logs, the JSON. An older PDF is kept if there is no new one.
 *
 * @returns The PDF's path for the user, or null if none was written to a file.
 * @throws CliError 2 if a file cannot be written.
 */
export async function writeOutputs(
  result: CompileResult,
  options: CompileCommandOptions,
  defaultOutput: string | null,
): Promise<string | null> {
  if (options.log !== undefined) await writeLogs(result, options.log)
  if (options.json) await printJson(presentResult(result, options.output === undefined))
  const output = options.output ?? (options.json ? null : defaultOutput)
  if (result.pdf === null || output === null) return null
  if (output === '-') {
    await print(result.pdf)
    return null
  }
  await replaceFile(output, result.pdf)
  return relative(process.cwd(), resolve(output))
}

/** The response of `POST /compile`; `pdf` is omitted if it was written to a file. */
function presentResult({ pdf, ...report }: CompileResult, withPdf: boolean): object {
  return withPdf ? { pdf: pdf === null ? null : Buffer.from(pdf).toString('base64'), ...report } : report
}

function writeLogs({ logs }: CompileResult, target: string): Promise<void> {
  const text = logs.map((log) => `== ${log.passNumber} ${log.engine}\n${log.log || log.stdout}\n`).join('\n')
  return target === '-' ? print(text) : replaceFile(target, Buffer.from(text), '--log')
}

/**
 * Written to a temporary file and renamed, so that a viewer never opens half a PDF. Links, pipes and devices stay what they
 * are. `option` is the option that names the file.
 *
 * @throws CliError 2 if the file cannot be written.
 */
export async function replaceFile(path: string, bytes: Uint8Array, option: '-o' | '--log' = '-o'): Promise<void> {
  let draft: string | null = null
  try {
    const older = await stat(path).catch(() => null) // A new file.
    if (older !== null && !older.isFile()) return await writeFile(path, bytes)
    const target = older === null ? await followMissing(path) : await realpath(path)
    const mode = older === null ? null : older.mode & 0o7777
    draft = `${target}.${randomBytes(4).toString('hex')}.tmp`
    await writeFile(draft, bytes, mode === null ? {} : { mode })
    // The mask of the process may have removed permissions.
    if (mode !== null) await chmod(draft, mode)
    await rename(draft, target)
  } catch (error) {
    if (draft !== null) await rm(draft, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(`cannot write ${path}: ${reason.replace(/, \w+ '[^]*$/, '')}`, {
      exitCode: exitCodes.usage,
      remedy: `Choose another file with ${option} FILE.`,
    })
  }
}

/** The path of a new file, which a symbolic link may name. */
async function followMissing(path: string): Promise<string> {
  const link = await readlink(path).catch(() => null) // No link.
  return link === null ? path : resolve(dirname(path), link)
}

/**
 * Prevents that an output overwrites one of the files.
 *
 * @throws CliError 2
 */
export async function refuseOverwriting(
  { output, log }: Pick<CompileCommandOptions, 'output' | 'log'>,
  files: readonly string[],
): Promise<void> {
  for (const [flag, path] of Object.entries({ '-o': output, '--log': log })) {
    if (path === undefined || path === '-') continue
    const [target, ...paths] = await Promise.all([path, ...files].map(resolveLinks))
    if (target === undefined || !paths.includes(target)) continue
    throw new CliError(`${flag} ${path} would overwrite a file of the document`, {
      exitCode: exitCodes.usage,
      remedy: 'Choose another name.',
    })
  }
}

function resolveLinks(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path)) // It does not exist yet.
}
