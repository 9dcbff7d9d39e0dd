import type { ResolvedLimits } from '../../options/check-limits.ts'
import { RequestFault } from '../wire/request-fault.ts'
import type { UploadParts } from './parse-upload.ts'

/** Settings, including settings of later clients. */
const MAX_OTHER_PARTS = 20

interface MultipartOptions {
  readonly contentType: string
  readonly boundary: string
  readonly limits: ResolvedLimits
}

/**
 * Reads a form: each part `files` is a file with its file name, all other parts are settings. `source` may be a file.
 *
 * @throws RequestFault 400
 */
export async function readMultipart(body: Uint8Array<ArrayBuffer>, options: MultipartOptions): Promise<UploadParts> {
  const { contentType, boundary, limits } = options
  // The parser of the platform does not limit the number of parts, so they are counted first.
  if (hasMoreThan(limits.maxFilesCount + MAX_OTHER_PARTS, `--${boundary}`, body))
    throw invalid('The form has too many parts.')
  const form = await parseForm(body, contentType)
  const settings: [string, string][] = []
  const files = new Map<string, Uint8Array>()
  for (const [name, value] of form) {
    if (name === 'files' && typeof value === 'string') throw invalid('A part "files" of the form has no file name.')
    if (typeof value === 'string') settings.push([name, value])
    else if (isEmptyInput(value)) continue
    else if (name === 'source') settings.push([name, decodeSource(await value.arrayBuffer())])
    else if (name !== 'files') throw invalid('Files of a form must be parts with the name "files" or "source".')
    else if (files.has(value.name)) throw invalid('The form has two files with the same name.')
    else files.set(value.name, new Uint8Array(await value.arrayBuffer()))
  }
  return { settings, files }
}

/** A browser sends an input of type "file" without a selected file as an empty file without a name. */
function isEmptyInput({ name, size }: File): boolean {
  return name === '' && size === 0
}

/** Blobs would replace other bytes. */
function decodeSource(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw invalid('The source is not UTF-8. Send it as a part "files", with its name in the part "main".', cause)
  }
}

function hasMoreThan(limit: number, delimiter: string, body: Uint8Array<ArrayBuffer>): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let count = 0
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    count += 1
    if (count > limit + 1) return true // The last one closes the form.
  }
  return false
}

async function parseForm(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': contentType } }).formData()
  } catch (cause) {
    throw invalid('The body is not valid multipart/form-data.', cause)
  }
}

function invalid(message: string, cause?: unknown): RequestFault {
  return new RequestFault(message, { status: 400, code: 'invalid_request', cause })
}
