import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { explainFailure } from './explain-failure.mjs'
import { say, startProgress } from './progress.mjs'
import { runProgram } from './run-program.mjs'

/**
 * Builds the package `@texproof/platex` for other programs if a source is newer than the last build. The host runs from
 * the sources, so a failure is not fatal.
 *
 * @param {string} root Absolute path of the checkout.
 */
export async function buildPlatex(root) {
  const folder = join(root, 'packages', 'platex')
  const built = join(folder, 'dist', 'base', 'types.js')
  if (existsSync(built) && newestMtimeMs(join(folder, 'src')) <= statSync(built).mtimeMs) return
  const progress = startProgress('library @texproof/platex')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [compiler, '-p', join(folder, 'tsconfig.build.json')]
  const { exitCode, output } = await runProgram(join(root, 'scripts', 'pinned-node'), args)
  progress.end(exitCode === 0 ? 'built' : 'not built; the server does not need it')
  if (exitCode !== 0) say(explainFailure(output))
}

function newestMtimeMs(folder) {
  const times = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? newestMtimeMs(path) : statSync(path).mtimeMs
  })
  return Math.max(0, ...times)
}
