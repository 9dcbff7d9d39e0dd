#!/usr/bin/env node
// Entry point of `npm start`, `npm run dev` and `npm test`. It runs on any installed Node.js, before anything is installed:
// plain JavaScript, no packages, and syntax that old versions can parse to print an error message.

const oldestNode = 20
const mode = process.argv[2]
const profile = readProfile(process.argv.slice(3))

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  stop(
    `Texproof requires Node.js ${oldestNode} or newer. This is Node.js ${process.versions.node}.`,
    'Debian 12 and Ubuntu 24.04 have Node.js 18. Install a newer version from https://nodejs.org/en/download, then run the',
    'same command again.',
  )
} else if (!['run', 'dev', 'test'].includes(mode)) {
  stop(
    'Usage: node scripts/setup.mjs run|dev|test [--tex small|full]',
    'Run `npm start`, `npm run dev` or `npm test` instead.',
  )
} else if (profile === null) {
  stop('--tex must be small or full.', 'Example: npm start -- --tex small')
} else {
  import('./setup/run-setup.mjs')
    .then((setup) => setup.runSetup(mode, profile))
    .then((exitCode) => {
      process.exitCode = exitCode
    })
}

// The last value of `--tex`; undefined = not given, null = invalid. All other options belong to `texproof serve`.
function readProfile(options) {
  let found
  options.forEach((option, index) => {
    if (option === '--tex') found = options[index + 1]
    else if (option.startsWith('--tex=')) found = option.slice('--tex='.length)
    else return
    if (found !== 'small' && found !== 'full') found = null
  })
  return found
}

function stop(...lines) {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exitCode = 2
}
