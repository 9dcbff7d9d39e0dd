import { spawnSync } from 'node:child_process'

import { explainFailure } from './explain-failure.mjs'
import { say, startProgress } from './progress.mjs'
import { runProgram } from './run-program.mjs'

const engines = ['pdflatex', 'xelatex', 'lualatex', 'latex', 'platex', 'uplatex']

/**
 * Builds missing formats of Debian's TeX engines. An interrupted installation or a full disk leaves engines without them.
 * Prints the command if the user is not root.
 */
export async function makeMissingFormats() {
  const missing = findMissingFormats()
  if (missing.length === 0) return
  if (process.getuid?.() !== 0)
    return say(`TeX formats are missing: ${missing.join(', ')}. Run: sudo fmtutil-sys --missing`)
  const progress = startProgress(`TeX formats (${missing.join(', ')})`)
  const { exitCode, output } = await runProgram('fmtutil-sys', ['--missing'])
  const isDone = findMissingFormats().length === 0
  progress.end(isDone ? 'built' : `failed (exit code ${exitCode})`)
  if (!isDone) say(explainFailure(output))
}

/** Missing formats of the installed engines. With the engine `/`, kpsewhich searches the folders of all engines. */
export function findMissingFormats() {
  const isDebian = spawnSync('dpkg-query', ['--show', 'texlive-base']).status === 0
  if (!isDebian) return []
  const installed = engines.filter((name) => spawnSync(name, ['--version']).status === 0)
  if (installed.length === 0) return []
  const names = installed.map((name) => `${name}.fmt`)
  const { stdout } = spawnSync('kpsewhich', ['--engine=/', ...names], { encoding: 'utf8' })
  return names.filter((name) => !(stdout ?? '').includes(`/${name}\n`))
}
