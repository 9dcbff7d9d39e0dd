#!/usr/bin/env node
// `npm start`, `npm run dev` and `npm test` begin here, on whatever Node the host has and with nothing installed.
// So: plain JavaScript, no packages, and this file parses on old Nodes to be able to refuse them in words.

const oldestNode = 20
const mode = process.argv[2]
const profile = readProfile(process.argv.slice(3))

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  stop(
    `Texproof needs Node ${oldestNode} or newer to set itself up; this is Node ${process.versions.node}.`,
    'Debian 12 and Ubuntu 24.04 have Node 18. Install a newer one from https://nodejs.org/en/download, then run the same',
    'command again.',
  )
} else if (!['run', 'dev', 'test'].includes(mode)) {
  stop(
    'Usage: node scripts/setup.mjs run|dev|test [--tex small|full]',
    'It is called by `npm start`, `npm run dev` and `npm test`.',
  )
} else if (profile === null) {
  stop('--tex takes small or full.', 'Example: npm start -- --tex small')
} else {
  import('./setup/run-setup.mjs')
    .then((setup) => setup.runSetup(mode, profile))
    .then((exitCode) => {
      process.exitCode = exitCode
    })
}

// The last word after `--tex`; undefined = not given, null = no profile. Other options are those of `texproof serve`.
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
