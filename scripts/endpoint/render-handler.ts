import { titleOf } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'

/** The source of a handler that is still to be written: whoever calls it hears what they hear without it, 404. */
export function renderHandler({ method, path, name, needsLogin, isInRepository }: Endpoint): string {
  const types = needsLogin ? 'ApiDeps, ApiResponse, AuthenticatedApiRequest' : 'ApiDeps, ApiRequest, ApiResponse'
  const request = needsLogin ? 'AuthenticatedApiRequest' : 'ApiRequest'
  const unused = isInRepository ? '' : '_'
  return `import { notFound } from '../api-error.ts'
import type { ${types} } from '../api-request.ts'
${isInRepository ? "import { getOpenRepository } from '../readable-repository.ts'\n" : ''}
/**
 * \`${titleOf({ method, path })}\`: planned.
 *
 * @throws ApiError 404 ${isInRepository ? 'when the repository is absent or hidden from the caller' : 'until it is written'}.
 */
export async function ${name}(${unused}request: ${request}, ${unused}deps: ApiDeps): Promise<ApiResponse> {
${isInRepository ? '  await getOpenRepository(request, deps)\n' : ''}  throw notFound()
}
`
}
