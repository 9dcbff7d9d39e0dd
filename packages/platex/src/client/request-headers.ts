import { invalidInput } from '../options/invalid-input.ts'

/**
 * The default headers, overridden by the headers of the caller, including `Authorization`.
 *
 * @throws CompileInputError for an invalid header; the message does not contain its value, which may be a secret.
 */
export function requestHeaders(
  ours: Readonly<Record<string, string>>,
  callers: Readonly<Record<string, string | null | undefined>> | undefined,
): Headers {
  const headers = new Headers()
  for (const [name, value] of [...Object.entries(ours), ...Object.entries(callers ?? {})])
    if (value !== undefined && value !== null) setHeader(headers, name, value)
  return headers
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The message of the platform would contain the value.
    const path = name === 'Authorization' ? 'apiKey' : `headers[${JSON.stringify(name)}]`
    throw invalidInput(path, 'cannot be sent as a header')
  }
}
