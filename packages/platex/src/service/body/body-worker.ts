/** Worker thread script: parses large request bodies and writes large responses. */
import type { ResolvedLimits } from '../../options/check-limits.ts'
import { parseCompileBody, type CompileBody } from '../wire/parse-compile-body.ts'
import { presentResult, type PresentableResult } from '../wire/present-result.ts'
import type { RequestFaultOptions } from '../wire/request-fault.ts'
import { toRequestFault } from '../wire/to-request-fault.ts'
import { serveTasks, transferring } from '../../worker/serve-tasks.ts'
import { parseUpload } from './parse-upload.ts'
import type { UploadForm } from './upload-form.ts'

/**
 * A parsed body, or the reason why it is rejected: errors lose their fields between threads, so the fault is plain
 * data.
 */
export type ParsedBody =
  | { readonly kind: 'body'; readonly body: CompileBody }
  | { readonly kind: 'refused'; readonly message: string; readonly options: RequestFaultOptions }

export interface BodyToParse {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly limits: ResolvedLimits
  /** Null for JSON. */
  readonly form: UploadForm | null
}

async function parseBody({ bytes, limits, form }: BodyToParse): Promise<ParsedBody> {
  try {
    const body = form === null ? parseCompileBody(bytes, limits) : await parseUpload(bytes, { form, limits })
    const buffers = new Set(
      [...body.files.values()].flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
    )
    return transferring({ kind: 'body', body }, [...buffers])
  } catch (error) {
    const { message, status, code, headers, details } = toRequestFault(error)
    if (status >= 500) throw error
    return { kind: 'refused', message, options: { status, code, headers, ...(details === null ? {} : { details }) } }
  }
}

function presentBody(result: PresentableResult): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(presentResult(result))
  return transferring(json, [json.buffer])
}

export const bodyTasks = { parseBody, presentBody }

serveTasks(bodyTasks)
