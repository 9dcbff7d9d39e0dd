#!/usr/bin/env node
// `npm start`, `npm run dev` and `npm test` begin here, on whatever Node the host has and with nothing installed.
// So: plain JavaScript, no packages, and this file parses on old Nodes to be able to refuse them in words.

const oldestNode = 20
const mode = process.argv[2]

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  stop(
    `Texproof needs Node ${oldestNode} or newer to set itself up; this is Node ${process.versions.node}.`,
    'Install a newer Node (https://nodejs.org/en/download), then run the same command again.',
  )
} else if (!['run', 'dev', 'test'].includes(mode)) {
  stop('Usage: node scripts/setup.mjs run|dev|test', 'It is called by `npm start`, `npm run dev` and `npm test`.')
} else {
  import('./setup/run-setup.mjs')
    .then((setup) => setup.runSetup(mode))
    .then((exitCode) => {
      process.exitCode = exitCode
    })
}

function stop(problem, remedy) {
  process.stderr.write(`${problem}\n${remedy}\n`)
  process.exitCode = 2
}
