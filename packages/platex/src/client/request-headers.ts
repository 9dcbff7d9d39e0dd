import { invalidInput } from '../options/invalid-input.ts'

/**
 * Our headers with the caller's laid over them: an explicit header wins, `Authorization` included.
 *
 * @throws CompileInputError when a header cannot be sent; its value is not repeated, it may be a secret.
 */
export function requestHeaders(
  ours: Readonly<Record<string, string>>,
  callers: Readonly<Record<string, string>> | undefined,
): Headers {
  const headers = new Headers()
  for (const [name, value] of [...Object.entries(ours), ...Object.entries(callers ?? {})])
    setHeader(headers, name, value)
  return headers
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The platform's own message would print the value.
    const path = name === 'Authorization' ? 'apiKey' : `headers[${JSON.stringify(name)}]`
    throw invalidInput(path, 'cannot be sent as a header')
  }
}
