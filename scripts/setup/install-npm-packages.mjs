import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { explainFailure } from './explain-failure.mjs'
import { say, startProgress } from './progress.mjs'
import { runProgram } from './run-program.mjs'

const architectures = { x64: 'x64', arm64: 'arm64' }

/**
 * Installs `node_modules` from the lock file, including the pinned Node.js, unless it is current.
 *
 * @param {string} root Absolute path of the checkout.
 * @returns {Promise<boolean>} False if the project cannot run; the reason has been printed.
 */
export async function installNpmPackages(root) {
  const architecture = architectures[process.arch]
  if (process.platform !== 'linux' || architecture === undefined) {
    say(`Texproof requires Linux on x64 or arm64. This is ${process.platform} on ${process.arch}.`)
    return false
  }
  const stampPath = join(root, 'node_modules', '.texproof-setup')
  const pinnedNode = join(root, 'node_modules', `node-linux-${architecture}`, 'bin', 'node')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(pinnedNode) && readStamp(stampPath) === wanted) return true

  if (!canWrite(root)) {
    say(`npm packages are missing, and ${root} is not writable.`)
    say('Run the command as the owner of the checkout, or clone it to your own folder.')
    return false
  }
  const progress = startProgress('npm packages and the pinned Node')
  // Unlike `ci`, `install` keeps the packages that are there already. It also takes versions and hashes from the lock
  // file, and `--no-save` keeps that file unchanged.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Without a network, npm would retry for minutes before it fails.
  const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  const args = ['install', '--no-save', '--ignore-scripts', ...quiet, ...impatient]
  const { exitCode, output } = await runNpm(root, args)
  if (exitCode !== 0 || !existsSync(pinnedNode)) {
    progress.end('failed')
    say(explainFailure(exitCode === 0 ? `npm did not install ${pinnedNode} (optional packages are required)` : output))
    return false
  }
  writeFileSync(stampPath, wanted)
  progress.end('done')
  return true
}

function canWrite(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    // Another user's folder, or a file system that is read-only.
    return false
  }
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** Uses the npm that runs this script, if any, with its cache and settings. */
function runNpm(root, args) {
  const npm = process.env.npm_execpath
  const all = [...args, '--prefix', root]
  return npm?.endsWith('.js') ? runProgram(process.execPath, [npm, ...all]) : runProgram('npm', all)
}
