/**
 * Parses projects uploaded as a tar archive or a form. Runs on a worker thread, because the libraries for archives and
 * forms do not bound their time.
 */
import { ROOT_FILE } from '../../base/defaults.ts'
import type { ResolvedLimits } from '../../options/check-limits.ts'
import { parseCompileFields, type CompileBody } from '../wire/parse-compile-body.ts'
import { readMultipart } from './read-multipart.ts'
import { readTar } from './read-tar.ts'
import type { UploadForm } from './upload-form.ts'

/** The content of an upload: settings as text, and files. */
export interface UploadParts {
  readonly settings: Iterable<readonly [string, string]>
  readonly files: ReadonlyMap<string, Uint8Array>
}

/**
 * Parses an upload and validates it like a JSON request. The root file is `main.tex` unless `main` is set.
 *
 * @throws RequestFault or CompileInputError for an invalid request.
 */
export async function parseUpload(
  body: Uint8Array<ArrayBuffer>,
  { form, limits }: { readonly form: UploadForm; readonly limits: ResolvedLimits },
): Promise<CompileBody> {
  const { settings, files } = await readParts(body, form, limits)
  const fields = new Map<string, unknown>([...settings].map(([name, text]) => [name, parseSetting(name, text)]))
  if (!fields.has('source') && !fields.has('main')) fields.set('main', ROOT_FILE)
  return parseCompileFields(fields.set('files', Object.fromEntries(files)), limits)
}

async function readParts(
  body: Uint8Array<ArrayBuffer>,
  form: UploadForm,
  limits: ResolvedLimits,
): Promise<UploadParts> {
  if (form.kind === 'multipart') return readMultipart(body, { ...form, limits })
  return { settings: new URLSearchParams(form.query), files: await readTar(body, limits) }
}

/** Forms and queries contain text only. */
function parseSetting(name: string, text: string): unknown {
  if (name === 'timeout') return Number(text)
  return name === 'outputs' ? text.split(',') : text
}
