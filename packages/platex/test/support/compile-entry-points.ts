/**
 * The four entry points of a compile behind one signature, so that one suite tests all of them.
 *
 * An entry point reports an error by its own code: `INVALID_INPUT` of the library, `400` of HTTP.
 */
import { createPlatexClient, createRequestHandler, handleCompileRequest } from '../../src/api/index.ts'
import type { CompileOptions, CompileOutputs, LatexError, LatexWarning, RawPassLog } from '../../src/api/index.ts'
import { CompileInputError, RemoteCompileError } from '../../src/base/errors.ts'
import { decodeBase64 } from '../../src/service/wire/base64.ts'
import { readJson } from './read-json.ts'

export interface DoorResult {
  readonly pdf: Uint8Array | null
  readonly errors: readonly LatexError[]
  readonly warnings: readonly LatexWarning[]
  readonly outputs?: CompileOutputs
  /** Null if the entry point does not return them: the handlers, by specification. */
  readonly logs: readonly RawPassLog[] | null
}

export interface EntryPoint {
  /** @throws Refusal if the request is invalid; the reason of the signal if cancelled. */
  compile(source: string | null, options?: CompileOptions): Promise<DoorResult>
}

/** Options of an entry point. */
export interface EntryPointOptions {
  /** The service of those that compile remotely, with the same limits. */
  readonly serviceUrl: string
  readonly config?: Pick<CompileOptions, 'limits'>
}

/** The error for an invalid request, the same for every entry point. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

export const ENTRY_POINTS: Readonly<Record<string, (options: EntryPointOptions) => EntryPoint>> = {
  'local compile': ({ config }) => {
    const client = createPlatexClient({ ...config, serviceUrl: '' })
    return { compile: (source, options) => refusing(client.compile(source, options)) }
  },

  'remote compile': ({ serviceUrl }) => {
    const client = createPlatexClient({ serviceUrl })
    return { compile: (source, options) => refusing(client.compile(source, options)) }
  },

  handleCompileRequest: ({ config }) => {
    const handle = (request: Request): Promise<Response> =>
      handleCompileRequest(request, { ...config, serviceUrl: '', responseFormat: 'json' })
    return { compile: (source, options = {}) => throughHandler(handle, source, options) }
  },

  createRequestHandler: ({ serviceUrl, config }) => {
    const handle = createRequestHandler(createPlatexClient({ serviceUrl }), { ...config, responseFormat: 'json' })
    return { compile: (source, options = {}) => throughHandler(handle, source, options) }
  },
}

async function refusing<T>(compiling: Promise<T>): Promise<T> {
  try {
    return await compiling
  } catch (error) {
    const isRefusal =
      error instanceof CompileInputError || (error instanceof RemoteCompileError && error.status === 400)
    throw isRefusal ? new Refusal(error.message, { cause: error }) : error
  }
}

async function throughHandler(
  handle: (request: Request) => Promise<Response>,
  source: string | null,
  options: CompileOptions,
): Promise<DoorResult> {
  const { main, engine, passes, bibliography, timeout, outputs, signal } = options
  const files = Object.entries(options.files ?? {}).map(([name, content]) => [
    name,
    typeof content === 'string' ? { text: content } : Buffer.from(content).toString('base64'),
  ])
  const body = JSON.stringify({
    source,
    main,
    engine,
    passes,
    bibliography,
    timeout,
    outputs,
    files: Object.fromEntries(files),
  })
  const request = new Request('http://host/compile', { method: 'POST', body, signal: signal ?? null })
  const response = await handle(request)
  signal?.throwIfAborted()
  const answer = await readJson(response)
  if (response.status === 400) throw new Refusal(answer.error)
  const pdf = answer.pdf === null ? null : decodeBase64(answer.pdf)
  const decoded = Object.entries(answer.outputs ?? {}).map(([name, text]) => [
    name,
    text === null ? null : decodeBase64(text),
  ])
  return {
    pdf,
    errors: answer.errors,
    warnings: answer.warnings,
    logs: null,
    ...(answer.outputs === undefined ? {} : { outputs: Object.fromEntries(decoded) }),
  }
}
