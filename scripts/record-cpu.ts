import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// `node --import scripts/record-cpu.ts`: a process of tests appends `milliseconds<TAB>path` to the file TEST_CPU_TIMES at its
// end: the processor time of itself and of the programs that it has waited for.

const TICK_MS = 10
const path = process.argv[1] ?? ''
const record = process.env['TEST_CPU_TIMES']

if (isMainThread && record !== undefined && /\.test\.(?:ts|mjs)$/.test(path))
  process.on('exit', () => appendFileSync(record, `${readCpuMs()}\t${title()}\n`))

/** The test file; of a group (group-test-files.ts), its first. */
function title(): string {
  const first = path.endsWith('.mjs') ? /'file:\/\/(.*)'/.exec(readFileSync(path, 'utf8'))?.[1] : undefined
  return first === undefined ? path : `${first} and others of its folder`
}

function readCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // From the third field on; user and system time are fields 14 and 15, the times of children 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
}
