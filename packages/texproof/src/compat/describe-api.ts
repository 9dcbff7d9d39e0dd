import { openApiDocument } from './openapi.ts'

/** The API of a host in the form of OpenAPI 3.1, as JSON text. */
export function describeApi(baseUrl: string): string {
  return `${JSON.stringify(openApiDocument(baseUrl), null, 2)}\n`
}
