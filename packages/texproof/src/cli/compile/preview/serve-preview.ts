import { createServer } from 'node:http'

import { getRequestListener } from '@hono/node-server'

import type { Listen } from '../../../config/parse-values.ts'
import { closeServer } from '../../serve/close-server.ts'
import { listen } from '../../serve/listen.ts'
import type { CompileReporter } from '../report/reporter.ts'
import { createPreviewApp } from './create-preview-app.ts'
import { keepPreviewState } from './preview-state.ts'

/** A page that shows the newest PDF and its problems, and updates itself. */
export interface PreviewServer {
  readonly url: string
  readonly follower: CompileReporter
  close(): Promise<void>
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const drainMs = 500

/**
 * Starts the preview.
 *
 * @throws CliError 2 if the address is in use or not one of this machine.
 */
export async function servePreview(wanted: Listen): Promise<PreviewServer> {
  const end = new AbortController()
  const waiting = new Set<() => void>()
  const keeper = keepPreviewState(() => {
    for (const wake of waiting) wake()
  })
  const changed = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      waiting.add(wake)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  const isOpenToOthers = !loopbackNames.has(wanted.host) && wanted.host !== '::1'
  const isOwnName = (host: string): boolean => isOpenToOthers || loopbackNames.has(host)
  const app = createPreviewApp({ current: keeper.current, changed, end: end.signal, isOwnName })
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  const port = await listen(server, wanted, '--serve ')
  const host = wanted.host.includes(':') ? `[${wanted.host}]` : wanted.host
  return {
    url: `http://${host}:${port}/`,
    follower: keeper.follower,
    close: () => {
      end.abort()
      return closeServer(server, { drain: () => Promise.resolve(), drainMs })
    },
  }
}
