import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { explainFailure } from './explain-failure.mjs'
import { say, startProgress } from './progress.mjs'
import { runProgram } from './run-program.mjs'

const architectures = { x64: 'x64', arm64: 'arm64' }

/**
 * Brings `node_modules` to what the lock file says, the pinned Node included; does nothing when it is there already.
 *
 * @param {string} root Absolute path of the checkout.
 * @returns {Promise<boolean>} False when the project cannot run, which has then been said.
 */
export async function installNpmPackages(root) {
  const architecture = architectures[process.arch]
  if (process.platform !== 'linux' || architecture === undefined) {
    say(`Texproof runs on Linux, on x64 and arm64 processors; this is ${process.platform} on ${process.arch}.`)
    return false
  }
  const stampPath = join(root, 'node_modules', '.texproof-setup')
  const pinnedNode = join(root, 'node_modules', `node-linux-${architecture}`, 'bin', 'node')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(pinnedNode) && readStamp(stampPath) === wanted) return true

  if (!canWrite(root)) {
    say(`npm packages are missing, and you may not write to ${root}.`)
    say('Run the command as the owner of the checkout, or clone it to a folder of your own.')
    return false
  }
  const progress = startProgress('npm packages and the pinned Node')
  // `install` and not `ci`: `ci` refuses a lock file that leaves out binaries of other systems. Versions and hashes
  // come from the lock file all the same, and `--no-save` leaves that file as it is.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // npm would try for minutes without a network before it says so.
  const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  const args = ['install', '--no-save', '--ignore-scripts', ...quiet, ...impatient]
  const { exitCode, output } = await runNpm(root, args)
  if (exitCode !== 0 || !existsSync(pinnedNode)) {
    progress.end('failed')
    say(
      explainFailure(
        exitCode === 0 ? `npm did not install ${pinnedNode} (optional packages must not be left out)` : output,
      ),
    )
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

/** The npm that runs this script when there is one, so that both work on the same cache and settings. */
function runNpm(root, args) {
  const npm = process.env.npm_execpath
  const all = [...args, '--prefix', root]
  return npm?.endsWith('.js') ? runProgram(process.execPath, [npm, ...all]) : runProgram('npm', all)
}
