import type { ProjectCompiler } from '@texproof/platex/project'
import type { Command } from 'commander'

import { exitCodes } from './exit-codes.ts'
import { print, printJson } from './print.ts'

interface TexOptions {
  readonly json?: true
}

const infoExamples = `
Examples:
  $ texproof tex info
  $ texproof tex info --json | jq .packageCount`

const searchExamples = `
Examples:
  $ texproof tex search siunitx
  $ texproof tex search beamer.cls --json`

/** `texproof tex info|search`: the TeX installation of this machine, as builds find it. */
export function defineTex(program: Command): void {
  const tex = program.command('tex').description('inspect the TeX installation').exitOverride()
  tex
    .command('info')
    .description('show release, programs, packages and fonts; exit with 1 if no engine is installed')
    .option('--json', 'print as JSON')
    .addHelpText('after', infoExamples)
    .exitOverride()
    .action(showInfo)
  tex
    .command('search <package>')
    .description('check whether a package or class is installed; exit with 1 if not')
    .option('--json', 'print as JSON')
    .addHelpText('after', searchExamples)
    .exitOverride()
    .action(searchPackage)
}

async function showInfo({ json }: TexOptions): Promise<void> {
  const inventory = await withCompiler((compiler) => compiler.inventory())
  const { release, programs, missingPrograms, installCommand, biblatex } = inventory
  if (!programs.some(({ name }) => /latex$|^tectonic$/.test(name))) process.exitCode = exitCodes.failed
  if (json) return printJson(inventory)
  const { packageCount, classCount, fontCount } = inventory
  const lines = [
    `${release ?? 'no TeX Live'}: ${packageCount} packages, ${classCount} classes, ${fontCount} fonts`,
    ...programs.map(({ name, version }) => `${name.padEnd(10)} ${version ?? 'installed'}`),
    ...missingPrograms.map((name) => `${name.padEnd(10)} –`),
    ...(biblatex === null
      ? []
      : [
          `biber ${biblatex.biber} and biblatex ${biblatex.biblatex} ${biblatex.isMatched ? '(compatible)' : '(incompatible: install both from one TeX Live release)'}`,
        ]),
    ...(installCommand === null ? [] : [`Install missing programs: ${installCommand}`]),
  ]
  await print(`${lines.join('\n')}\n`)
}

async function searchPackage(name: string, { json }: TexOptions): Promise<void> {
  const answer = await withCompiler((compiler) => compiler.findPackage(name))
  if (answer.kind !== 'installed') process.exitCode = exitCodes.failed
  if (json) return printJson(answer)
  if (answer.kind === 'installed')
    return print(`${answer.fileName}${answer.version === null ? '' : `  ${answer.version}`}\n`)
  if (answer.kind === 'no-name') return print('Invalid package name: use letters, digits and hyphens.\n')
  const { installCommand, similar } = answer
  const lines = [
    `${name} is not installed.`,
    ...(installCommand === null ? [] : [`Install it: ${installCommand}`]),
    ...(similar.length === 0 ? [] : [`Similar names: ${similar.join(', ')}`]),
  ]
  await print(`${lines.join('\n')}\n`)
}

/** Runs without a sandbox if there is none: no document is compiled. */
async function withCompiler<Found>(ask: (compiler: ProjectCompiler) => Promise<Found>): Promise<Found> {
  const { openProjectCompiler } = await import('@texproof/platex/project')
  const compiler = await openProjectCompiler({ sandbox: 'auto' })
  try {
    return await ask(compiler)
  } finally {
    await compiler.close()
  }
}
