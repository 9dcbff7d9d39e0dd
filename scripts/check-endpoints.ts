import { routes } from '../packages/texproof/src/api/routes.ts'
import { matrix } from '../packages/texproof/src/compat/matrix.ts'
import { findGaps, findStaleDocuments } from './endpoint/find-gaps.ts'

// Checks that every endpoint has a handler, behavior test and matrix row, and that the generated documents are
// current.

process.chdir(new URL('..', import.meta.url).pathname)
const gaps = await findGaps({ routes, matrix })
// The documents can be generated only if every route has a row.
for (const gap of gaps.length > 0 ? gaps : await findStaleDocuments()) {
  console.error(gap)
  process.exitCode = 1
}
