/**
 * The hostile suite against the real service: `npm run test:hostile -- [options] [part of a name …]`.
 *
 *   --quick                     only the quick part, which `npm test` also runs
 *   --sandbox=none              without the sandbox and without the dangerous cases, to see that the suite can fail
 *   --expect-failures=N         succeed if at least N cases fail
 *
 * Exits with 0 if all cases have the expected outcome. Run it as the user of the service.
 */

import { parseArgs } from 'node:util'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { DOCUMENT_CASES } from './cases/all-cases.ts'
import { HTTP_CASES } from './cases/http.ts'
import { runDocumentCase, runHttpCase, type CaseReport } from './run-case.ts'
import { startTarget, type Target } from './start-target.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    sandbox: { type: 'string', default: 'required' },
    'expect-failures': { type: 'string', default: '0' },
  },
})

process.exitCode = await main()

async function main(): Promise<number> {
  const isConfined = values.sandbox !== 'none'
  const isChosen = ({ name, isQuick }: { readonly name: string; readonly isQuick?: true }) =>
    (!values.quick || isQuick === true) && (positionals.length === 0 || positionals.some((part) => name.includes(part)))
  // Otherwise its run is still there after the first case with LuaTeX on a new machine.
  if (isConfined) await (await openSandbox('required')).prepareFonts()
  const target = await startTarget(isConfined ? 'required' : 'none')
  const reports: CaseReport[] = []
  try {
    for (const hostile of DOCUMENT_CASES.filter((one) => isChosen(one) && (isConfined || !one.isDangerous))) {
      reports.push(print(await runDocumentCase(target, hostile)))
    }
    for (const hostile of HTTP_CASES.filter(isChosen)) reports.push(print(await runHttpCase(target, hostile)))
  } finally {
    await stopQuietly(target)
  }
  return summarize(reports, Number(values['expect-failures']))
}

function print(report: CaseReport): CaseReport {
  const outcome = report.problems.length === 0 ? 'ok  ' : 'FAIL'
  const problems = report.problems.map((problem) => `\n       ${problem}`).join('')
  console.log(`${outcome} ${report.name} ${Math.round(report.durationMs)} ms${problems}`)
  return report
}

function summarize(reports: readonly CaseReport[], expectedFailures: number): number {
  const failed = reports.filter((report) => report.problems.length > 0)
  const worst = Math.max(0, ...reports.map((report) => report.worstHealthMs))
  console.log(
    `${reports.length} cases, ${reports.length - failed.length} came out as they should, ${failed.length} did not`,
  )
  console.log(`/health answered within ${Math.round(worst)} ms throughout`)
  if (expectedFailures === 0) return failed.length === 0 && reports.length > 0 ? 0 : 1
  console.log(`at least ${expectedFailures} failures were expected`)
  return failed.length >= expectedFailures ? 0 : 1
}

/** Without a sandbox, documents may have killed the service itself. */
async function stopQuietly(target: Target): Promise<void> {
  await target.stop().catch((error: unknown) => console.log(`the service did not stop: ${String(error)}`))
}
