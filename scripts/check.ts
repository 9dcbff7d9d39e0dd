import { checkStages } from './check-stages.ts'
import { runStage } from './run-stage.ts'

/** `npm run check`: all checks without the tests. A failing stage does not stop the others. */
process.chdir(new URL('..', import.meta.url).pathname)
for (const stage of checkStages) {
  const report = await runStage(stage, { env: process.env })
  if (!report.isGood) process.exitCode = 1
}
