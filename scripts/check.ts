import { checkStages } from './check-stages.ts'
import { runStage } from './run-stage.ts'

/** `npm run check`: everything but the tests, all stages even when one fails. */
process.chdir(new URL('..', import.meta.url).pathname)
for (const stage of checkStages) {
  const report = await runStage(stage, { env: process.env })
  if (!report.isGood) process.exitCode = 1
}
