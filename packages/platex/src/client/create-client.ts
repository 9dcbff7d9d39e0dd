import { readEnvironment } from '../base/environment.ts'
import { PlatexError } from '../base/errors.ts'
import { limitPdf } from '../base/limit-pdf.ts'
import type { CompileOptions, CompileResult, PlatexClient, PlatexClientConfig } from '../base/types.ts'
import { resolveLimits, type ResolvedLimits } from '../options/check-limits.ts'
import type { LocalCompiler } from '../options/compile-request.ts'
import { mergeOptions } from '../options/merge-options.ts'
import { checkCall, parseOptions } from '../options/parse-options.ts'
import { checkHealth } from './check-health.ts'
import { compileRemotely } from './compile-remotely.ts'
import { invalidInput } from '../options/invalid-input.ts'

const NO_LIMITS: ResolvedLimits = {
  maxSourceBytes: Infinity,
  maxFilesCount: Infinity,
  maxTotalFilesBytes: Infinity,
  maxPdfBytes: Infinity,
}

/** Creates a client with a local compiler, or without one: then every compile requires a service. */
export function createClient(config: PlatexClientConfig, compileLocally: LocalCompiler | null): PlatexClient {
  return {
    compile: async (source, options) => compileAnywhere(source, mergeOptions(config, options ?? {}), compileLocally),
    health: async () => {
      const serviceUrl = resolveServiceUrl(config)
      return serviceUrl === null || checkHealth(serviceUrl, config)
    },
    limits: config.limits,
  }
}

async function compileAnywhere(
  source: string | null,
  options: CompileOptions,
  compileLocally: LocalCompiler | null,
): Promise<CompileResult> {
  checkCall(options)
  options.signal?.throwIfAborted()
  const serviceUrl = resolveServiceUrl(options)
  if (serviceUrl !== null) {
    // A service has its own limits, which may be higher: only limits set by the caller are checked here.
    const limits = resolveLimits(options.limits, NO_LIMITS)
    const request = parseOptions(source, options, limits)
    if (request.engine === 'tectonic') {
      throw invalidInput('engine', 'tectonic compiles locally only: a service supports pdflatex, xelatex and lualatex')
    }
    const result = await compileRemotely(request, {
      ...options,
      serviceUrl,
      apiKey: options.apiKey ?? readEnvironment('COMPILE_API_KEY'),
    })
    return limitPdf(result, limits.maxPdfBytes)
  }
  const limits = resolveLimits(options.limits)
  const request = parseOptions(source, options, limits)
  if (compileLocally === null) throw noService()
  const result = await compileLocally(request, {
    sandbox: options.sandbox ?? 'auto',
    signal: options.signal,
    onProgress: options.onProgress,
  })
  return limitPdf(result, limits.maxPdfBytes)
}

/** An empty `serviceUrl` forces a local compile and overrides the environment variable. */
function resolveServiceUrl(options: { readonly serviceUrl?: string }): string | null {
  return (options.serviceUrl ?? readEnvironment('COMPILE_SERVICE_URL')) || null
}

function noService(): PlatexError {
  return new PlatexError(
    'No compile service is set: pass serviceUrl, set COMPILE_SERVICE_URL, or compile locally with the main entry ' +
      'point in Node.js.',
    { code: 'NO_SERVICE' },
  )
}
