import type { Context } from 'hono'

import type { Build } from '../../domain/build.ts'
import { parseId } from '../../domain/parse-id.ts'
import type { Deps } from '../../operations/deps.ts'
import { NotFound } from '../session/errors.ts'
import { findViewedRepository, type ViewedRepository } from '../shell/repository/find-viewed-repository.ts'

/**
 * The build of an address, and its repository.
 *
 * @throws NotFound
 */
export async function findBuild(
  c: Context,
  deps: Deps,
): Promise<{ readonly repository: ViewedRepository; readonly build: Build }> {
  const repository = await findViewedRepository(c, deps)
  const number = parseId(c.req.param('number'))
  const build = number === null ? null : await deps.store.builds.findByNumber(repository.id, number)
  if (build === null) throw new NotFound('Build not found.')
  return { repository, build }
}
