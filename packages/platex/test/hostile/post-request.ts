import { Buffer } from 'node:buffer'
import type { HostileRequest } from './hostile-case.ts'
import type { Target } from './start-target.ts'

/** Sends a compile request with its placeholders replaced, and returns the response as text. */
export async function postRequest(
  target: Target,
  request: HostileRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${target.url}/compile`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' },
    body: bodyOf(request, target.placeholders),
  })
  return { status: response.status, text: await response.text() }
}

/** The request as JSON; `files` is written by hand, because a name may occur twice. */
function bodyOf(request: HostileRequest, placeholders: Readonly<Record<string, string>>): string {
  const fill = (text: string) => text.replaceAll(/<([A-Z]+)>/g, (whole, name: string) => placeholders[name] ?? whole)
  const { files = [], source, ...options } = request
  const pairs = files.map(([name, content]) => {
    const bytes = typeof content === 'string' ? Buffer.from(fill(content)) : Buffer.from(content)
    return `${JSON.stringify(fill(name))}:"${bytes.toString('base64')}"`
  })
  return `${JSON.stringify({ ...options, source: fill(source) }).slice(0, -1)},"files":{${pairs.join(',')}}}`
}
