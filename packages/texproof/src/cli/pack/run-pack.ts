import { basename, join } from 'node:path'

import type { ProjectEngine } from '@texproof/platex'
import { openProjectCompiler } from '@texproof/platex/project'

import { openParsers } from '../../base/open-parsers.ts'
import { describeVerification } from '../../operations/export/describe-verification.ts'
import { makePackage } from '../../operations/export/make-package.ts'
import type { Finding, Package, PackTarget } from '../../operations/export/types.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { CliError } from '../cli-error.ts'
import { chooseDocument } from '../compile/choose-document.ts'
import { explainCompileFailure } from '../compile/explain-compile-failure.ts'
import { readSettings } from '../compile/read-settings.ts'
import { readSource, saySkipped } from '../compile/read-source.ts'
import { widenSource } from '../compile/widen-source.ts'
import { refuseOverwriting, replaceFile } from '../compile/write-outputs.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../print.ts'
import { say } from '../say.ts'
import { withInterrupt } from '../with-interrupt.ts'

/** The options of `texproof pack`. */
export interface PackCommandOptions {
  readonly for: PackTarget
  readonly flatten?: true
  readonly stripComments?: true
  readonly stripNotes?: true
  readonly anonymize?: true
  readonly output?: string
  readonly engine?: ProjectEngine
  readonly timeout: string
  readonly json?: true
  readonly unsafeNoSandbox?: true
}

/** Makes a package and prints what the preflight check found. Returns the exit code. */
export async function runPack(path: string, options: PackCommandOptions): Promise<ExitCode> {
  const { timeout, engine: asked } = options
  const compileOptions = { passes: 'auto', timeout, ...(asked === undefined ? {} : { engine: asked }) } as const
  const { timeoutMs } = readSettings(path, compileOptions)
  const source = await widenSource(await readSource(path, { only: null }), compileOptions)
  saySkipped(source)
  const { rootFile, engine, bibliography } = await chooseDocument(source, compileOptions)
  await refuseOverwriting(options, [join(source.folder, rootFile)])
  const compiler = await openProjectCompiler({ sandbox: options.unsafeNoSandbox ? 'none' : 'auto' })
  const parsers = openParsers()
  try {
    const outcome = await withInterrupt((signal) =>
      makePackage(
        {
          files: source.files,
          rootFile,
          engine,
          bibliography,
          timeoutMs,
          sourceDateEpoch: Math.floor(Date.now() / 1000),
          target: options.for,
          options: {
            isFlat: options.flatten === true,
            withoutComments: options.stripComments === true,
            withoutNotes: options.stripNotes === true,
            isAnonymous: options.anonymize === true,
          },
          name: basename(rootFile).replace(/\.[^.]*$/, ''),
          ownerId: 'pack',
        },
        {
          compiler: { ...compiler, compile: (job) => compiler.compile({ ...job, signal }) },
          parsers,
          onStep: (step) => say(`  ${step}`),
        },
      ),
    )
    if (outcome.kind === 'refused') throw new CliError(outcome.problem, { exitCode: exitCodes.failed })
    return await report(outcome, options)
  } catch (error) {
    throw explainCompileFailure(error)
  } finally {
    await parsers.close()
    await compiler.close()
  }
}

async function report(made: Package, { output, json }: PackCommandOptions): Promise<ExitCode> {
  const { files, leftOut, findings, verification } = made
  const target = output ?? made.fileName
  await replaceFile(target, made.zip)
  if (json) {
    await printJson({ package: target, files, left_out: leftOut, verification, findings })
  } else {
    for (const finding of findings) say(describeFinding(finding))
    say(describeVerification(verification))
    say(`Wrote ${target}: ${countOf(files.length, 'file')}, ${leftOut.length} left out`)
  }
  const isVerified =
    verification.kind === 'same' || (verification.kind === 'different' && verification.removed.length > 0)
  return isVerified && findings.every(({ level }) => level !== 'error') ? exitCodes.good : exitCodes.pdfWithErrors
}

function describeFinding({ level, message, file, line, remedy }: Finding): string {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `
  return `${level}: ${place}${message}${remedy === null ? '' : `\n  ${remedy}`}`
}
