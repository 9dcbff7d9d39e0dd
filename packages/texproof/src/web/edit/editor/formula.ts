/** `POST /{owner}/{repo}/formula/{branch}/{path}`: a formula as MathML, for the script of the editor. */
import type { Context } from 'hono'

import { defineTask } from '../../../base/thread-task.ts'
import type { Deps } from '../../../operations/deps.ts'
import type { convertFormula } from '../../content/markdown/render-formula.ts'
import { readField } from '../../session/form.ts'
import { findEditLocation } from '../find-edit-location.ts'
import { refuse } from './project-search.ts'

const CONVERT = defineTask<typeof convertFormula>(
  import.meta.resolve('../../content/markdown/render-formula.ts'),
  'convertFormula',
)
const MAX_LENGTH = 5_000

/** The formula as safe HTML, or why there is none. */
export async function postFormula(c: Context, deps: Deps): Promise<Response> {
  const { caller } = await findEditLocation(c, deps)
  const source = readField(c, 'source')
  if (source.length > MAX_LENGTH) return refuse(c, 'The formula is too long.')
  const formula = { source, isDisplay: readField(c, 'display') !== '' }
  const outcome = await deps.parsers.run(CONVERT, formula, { ownerId: caller.user.id })
  if (outcome.kind !== 'done') return refuse(c, 'The formula could not be rendered. Try again.')
  if (outcome.value.kind === 'invalid') return refuse(c, outcome.value.reason)
  c.header('cache-control', 'private, no-store')
  return c.json({ html: outcome.value.html })
}
