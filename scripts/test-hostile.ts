/**
 * Runs the hostile suites: the compile service, then the host. Both get all options and name patterns. Exits with 0 if
 * both succeed; the last lines have both results.
 */
import { spawnSync } from 'node:child_process'

process.chdir(new URL('..', import.meta.url).pathname)
const suites = {
  'compile service': 'packages/platex/test/hostile/run.ts',
  host: 'packages/texproof/test/hostile/run.ts',
}
const results = Object.entries(suites).map(([name, script]) => {
  console.log(`\n── ${name}`)
  const { status } = spawnSync('scripts/pinned-node', [script, ...process.argv.slice(2)], { stdio: 'inherit' })
  return { name, isGood: status === 0 }
})
console.log(`\n${results.map(({ name, isGood }) => `${isGood ? '✓' : '✗'} ${name}`).join('\n')}`)
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1
