import { openApiDocument } from './openapi.ts'

/** The OpenAPI 3.1 description of a host's API, as JSON text. */
export function describeApi(baseUrl: string): string {
  return `${JSON.stringify(openApiDocument(baseUrl), null, 2)}\n`
}
