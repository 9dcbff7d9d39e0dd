import { checkStages } from './check-stages.ts'
import { runStages } from './run-stage.ts'

/** `npm run check`: all checks without the tests. */
process.chdir(new URL('..', import.meta.url).pathname)
const reports = await runStages(checkStages, { env: process.env })
if (reports.some(({ isGood }) => !isGood)) process.exitCode = 1
