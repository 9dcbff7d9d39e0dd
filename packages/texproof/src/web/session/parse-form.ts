/** Reads the body of a form. Anyone can send one: large bodies are read in a worker thread, with a time limit. */
import { transferring } from '@texproof/platex/worker'

/** The body of a form as it was sent. */
export interface FormBody {
  /** Content type with the boundary of the parts. */
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A file in a form. */
export interface FormFile {
  /** File name as sent by the browser; a path if a folder was chosen. */
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type FormField = readonly [name: string, value: string | FormFile]

/** `refused` = it exceeds a limit: `limit` is a part of a sentence. */
export type ParsedForm =
  | { readonly kind: 'parsed'; readonly fields: readonly FormField[] }
  | { readonly kind: 'refused'; readonly limit: string }
  | { readonly kind: 'malformed' }

/**
 * Maximum number of parts, more than any page has: an import accepts up to 5,000 files, and reports which limit is
 * exceeded.
 */
export const maxFields = 6_000
/** Made when needed: Node.js takes some 15 ms to prepare for the first number of a language. */
const tooManyFields = (): string => `${maxFields.toLocaleString('en')} fields and files`
/**
 * Maximum length of all fields but `text`. A page with problems repeats them in attributes, which are slow to render.
 */
export const maxOtherCharacters = 256 * 1024

/** Reads all fields in order; none in a body that is not a form. */
export async function parseFormBody({ contentType, bytes }: FormBody): Promise<ParsedForm> {
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  if (hasTooMany(bytes, findSeparator(contentType))) return { kind: 'refused', limit: tooManyFields() }
  if (type === 'application/x-www-form-urlencoded') return checkLimits([...readPairs(bytes)])
  if (type !== 'multipart/form-data') return { kind: 'parsed', fields: [] }
  const response = new Response(bytes, { headers: { 'content-type': contentType } })
  const form = await response.formData().catch(() => null) // A body that does not match its type.
  if (form === null) return { kind: 'malformed' }
  const files: ArrayBuffer[] = []
  const fields = [...form].map(async ([name, value]): Promise<FormField> => {
    if (typeof value === 'string') return [name, value]
    const buffer = await value.arrayBuffer()
    files.push(buffer)
    return [name, { name: value.name, bytes: new Uint8Array(buffer) }]
  })
  return transferring(checkLimits(await Promise.all(fields)), files)
}

/** Between two fields. */
function findSeparator(contentType: string): string {
  const [, quoted, plain] = /;\s{0,99}boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? '&' : `--${boundary}`
}

/** Counted first: reading a million fields takes ten seconds. */
function hasTooMany(bytes: Uint8Array<ArrayBuffer>, separator: string): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = body.indexOf(separator); at !== -1 && count <= maxFields; at = body.indexOf(separator, at + 1))
    count += 1
  // The last separator may be followed by nothing.
  return count > maxFields
}

function readPairs(bytes: Uint8Array): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(bytes))
}

function checkLimits(fields: readonly FormField[]): ParsedForm {
  if (fields.length > maxFields) return { kind: 'refused', limit: tooManyFields() }
  const length = fields.reduce((sum, [name, value]) => {
    if (typeof value !== 'string') return sum + name.length + value.name.length
    return sum + name.length + (name === 'text' ? 0 : value.length)
  }, 0)
  if (length > maxOtherCharacters) return { kind: 'refused', limit: '256 kB of other fields' }
  return { kind: 'parsed', fields }
}
