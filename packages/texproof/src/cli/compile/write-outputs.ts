import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'

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
  return target === '-' ? print(text) : replaceFile(target, Buffer.from(text))
}

/** Written to a temporary file and renamed, so that a viewer never opens half a PDF. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`
  try {
    await writeFile(draft, bytes)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(`cannot write ${path}: ${reason}`, {
      exitCode: exitCodes.usage,
      remedy: 'Choose another output with -o FILE.',
    })
  }
}
