import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'

import { getRequestListener } from '@hono/node-server'
import { createApp } from '@texproof/platex/server'
import type { CompileApp, CompileServiceConfig, ServiceEvent } from '@texproof/platex/server'

import { hasValidHead } from '../api/has-valid-head.ts'
import { createApiListener, isApiPath } from '../api/listener.ts'
import { toOriginForm } from '../api/request-target.ts'
import { waitForBody } from '../base/http/end-after-body.ts'
import { withRequestAddress } from '../base/http/request-address.ts'
import { isCompileClosed, isLoopback, isOwnName } from '../config/read-config.ts'
import type { Config } from '../config/read-config.ts'
import type { Deps } from '../operations/deps.ts'
import { isForwarded, refuseForwardedCompile } from './refuse-forwarded-compile.ts'
import { isLfsTarget, refuseLfs } from '../smart-http/refuse-lfs.ts'
import { createSmartHttpListener, isSmartHttpTarget } from '../smart-http/listener.ts'
import type { createWebApp } from '../web/app.ts'
import { createWorkerListener, isWorkerTarget } from '../worker-api/listener.ts'

// The whole HTTP surface. Five surfaces share one port and are distinguished by the raw target, before it is decoded:
//
//   /api/workers/…                                         workers, which take builds
//   /api/…                                                 the REST API, including for unknown paths
//   /{owner}/{repo}[.git]/{info/refs,git-upload-pack,…}    git over HTTP
//   /{owner}/{repo}[.git]/info/lfs/…                       404 in the format of Git LFS
//   /compile  /health  /ready  /metrics                    the compile service
//   everything else                                        pages and PDFs

/** Creates the request listener of a host. */
export function createHostListener(
  deps: Deps,
  { compileApp, pages }: { readonly compileApp: CompileApp; readonly pages: ReturnType<typeof createWebApp> },
): RequestListener {
  const answerApi = createApiListener(deps)
  const answerWorker = createWorkerListener(deps)
  const answerGit = createSmartHttpListener(deps)
  // For requests without a `Host`, such as HTTP/1.0 requests.
  const { host: hostname } = new URL(deps.config.baseUrl)
  const answerCompile = getRequestListener(compileApp.fetch, { hostname, overrideGlobalObjects: false })
  // Replaces `Response` in this process: the page of a response is then sent directly, without a stream.
  const answerWeb = getRequestListener(pages.fetch, { hostname })

  const isHidden = (target: string, request: IncomingMessage): boolean =>
    pathOf(target) === '/metrics' && !mayAskMetrics(deps.config, request)

  const { compileApiKey, isCompileAnonymous } = deps.config
  const isClosedByProxy = (target: string, request: IncomingMessage): boolean =>
    pathOf(target) === '/compile' && !compileApiKey && !isCompileAnonymous && isForwarded(request)

  return withRequestAddress(deps.config, (request, response) => {
    const target = escapeBackslashes(toOriginForm(request.url ?? '/'))
    request.url = target
    // The API also rejects what belongs to no surface: an invalid head, and targets such as the `*` of `OPTIONS *`.
    const isForApi = isApiPath(target) || !target.startsWith('/') || !hasValidHead(request)
    // Only pushes may take long: a gigabyte over a slow connection.
    if (!isForApi && isSmartHttpTarget(target)) return answerGit(request, response)
    if (hasBody(request)) {
      limitBodyTime(request, response)
      waitForBody(request, response, { maxMs: null })
    }
    if (isForApi && isWorkerTarget(target)) answerWorker(request, response)
    else if (isForApi) answerApi(request, response)
    else if (isLfsTarget(target)) refuseLfs(request, response, deps.log)
    else if (isClosedByProxy(target, request)) refuseForwardedCompile(request, response, deps.log)
    else if (isCompileTarget(target) && !isHidden(target, request)) void answerCompile(request, response)
    else void answerWeb(request, response)
  })
}

/** Parsers of URLs read a backslash as a slash. Node.js refuses other characters that must be escaped. */
function escapeBackslashes(target: string): string {
  return target.includes('\\') ? target.replaceAll('\\', '%5C') : target
}

/** The compile service of a host, in the host's sandbox and with its key. */
export function createHostCompileApp(
  config: Config,
  log: (event: ServiceEvent) => void,
  parts: Pick<CompileServiceConfig, 'gauges' | 'findReadinessProblem'> = {},
): CompileApp {
  const apiKey = compileKey(config)
  return createApp({
    ...(apiKey === null ? {} : { apiKey }),
    metricsKey: metricsKey(config) ?? '',
    isPublic: config.isCompileAnonymous,
    sandbox: config.sandbox,
    // `doctor` runs before the first start, too: the cache must not create the data directory, open to others.
    ...(existsSync(config.dataDir) ? { cacheDir: join(config.dataDir, 'cache', 'tex') } : {}),
    waitingEngines: config.build.waitingEngines,
    requiresTex: config.build.isLocal,
    log,
    ...parts,
  })
}

/**
 * Whether `GET /metrics` is available. Without a key it is for programs of this machine only: requests forwarded by a local
 * proxy are recognized by its headers, and requests of a page in a browser by a foreign name in `Host`.
 */
function mayAskMetrics(config: Config, request: IncomingMessage): boolean {
  if (!config.metrics.isEnabled) return false
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  if (metricsKey(config) !== null) return true
  return isLoopback(address) && !isForwarded(request) && hasOwnName(request, config)
}

/** Browsers always send a name. */
function hasOwnName({ headers: { host } }: IncomingMessage, config: Config): boolean {
  if (host === undefined) return true
  return URL.canParse(`http://${host}`) && isOwnName(new URL(`http://${host}`).hostname, config)
}

function metricsKey({ metrics, compileApiKey }: Config): string | null {
  return metrics.token ?? compileApiKey
}

/** A closed service gets a random key; a service without a key requires none. */
function compileKey(config: Config): string | null {
  return isCompileClosed(config) ? randomBytes(32).toString('base64url') : config.compileApiKey
}

const compilePaths: ReadonlySet<string> = new Set(['/compile', '/health', '/ready', '/metrics'])

function isCompileTarget(target: string): boolean {
  return compilePaths.has(pathOf(target))
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? ''
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return (length !== undefined && length !== '0') || encoding !== undefined
}

/** Enough for the largest body other than a push, a document of 44 MB, at 1.5 Mbit/s. */
const bodyTimeMs = 4 * 60_000

/** Closes the connection of a client whose request body takes too long, so that slow bodies hold no connections. */
export function limitBodyTime(request: IncomingMessage, response: ServerResponse, timeMs = bodyTimeMs): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy()
  }, timeMs).unref()
  response.once('close', () => clearTimeout(timer))
}
