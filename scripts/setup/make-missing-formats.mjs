import { spawnSync } from 'node:child_process'

import { explainFailure } from './explain-failure.mjs'
import { say, startProgress } from './progress.mjs'
import { runProgram } from './run-program.mjs'

const engines = ['pdflatex', 'xelatex', 'lualatex']

/**
 * Makes the formats that engines of Debian's TeX start from and that are missing: an installation that was cut short,
 * or a full disk, leaves engines without them. Another user than root is told the command.
 */
export async function makeMissingFormats() {
  const missing = findMissingFormats()
  if (missing.length === 0) return
  if (process.getuid?.() !== 0) return say(`TeX has no ${missing.join(', ')}. Please run: sudo fmtutil-sys --missing`)
  const progress = startProgress(`TeX formats (${missing.join(', ')})`)
  const { exitCode, output } = await runProgram('fmtutil-sys', ['--missing'])
  const isDone = findMissingFormats().length === 0
  progress.end(isDone ? 'made' : `failed (exit code ${exitCode})`)
  if (!isDone) say(explainFailure(output))
}

/** Formats of engines that are installed; with the engine `/` kpsewhich looks into the folders of all engines. */
export function findMissingFormats() {
  const isDebian = spawnSync('dpkg-query', ['--show', 'texlive-base']).status === 0
  if (!isDebian) return []
  const installed = engines.filter((name) => spawnSync(name, ['--version']).status === 0)
  if (installed.length === 0) return []
  const names = installed.map((name) => `${name}.fmt`)
  const { stdout } = spawnSync('kpsewhich', ['--engine=/', ...names], { encoding: 'utf8' })
  return names.filter((name) => !(stdout ?? '').includes(`/${name}\n`))
}
