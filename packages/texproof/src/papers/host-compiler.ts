import { join } from 'node:path'

import { openProjectCompiler, type ProjectCompiler } from '@texproof/platex/project'

import type { Config } from '../config/read-config.ts'

type Waiting = Pick<
  ProjectCompiler,
  | 'compile'
  | 'describePdf'
  | 'findConvertedPicture'
  | 'findPackage'
  | 'inventory'
  | 'preview'
  | 'renderFigure'
  | 'renderPage'
>

/** The compiler of a host. While the sandbox is examined, calls wait for it. */
export interface HostCompiler extends Waiting {
  /**
   * The compiler itself.
   *
   * @throws SandboxUnavailableError when the configuration requires a sandbox that this machine does not support.
   */
  readonly opened: Promise<ProjectCompiler>
  /** Stops what waits in it. */
  close(): Promise<void>
}

/**
 * Opens the sandbox of builds, and the compiler that uses it. Starting a sandbox takes 0.1 s, in which a host can already
 * answer requests for pages. With `after`, it is started later.
 */
export function openHostCompiler(
  config: Pick<Config, 'build' | 'dataDir' | 'sandbox'>,
  { isServer, after = null }: { readonly isServer: boolean; readonly after?: Promise<void> | null },
): HostCompiler {
  const open = (): Promise<ProjectCompiler> =>
    openProjectCompiler({
      sandbox: config.sandbox,
      cacheDir: join(config.dataDir, 'cache', 'tex'),
      // A command beside a running host builds too little to keep engines waiting.
      waitingEngines: isServer ? config.build.waitingEngines : 0,
    })
  const opened = after === null ? open() : after.then(open)
  opened.catch(() => {}) // Each call reports it.
  return {
    opened,
    compile: async (job, document) => (await opened).compile(job, document),
    describePdf: async (pdf) => (await opened).describePdf(pdf),
    findConvertedPicture: async (picture) => (await opened).findConvertedPicture(picture),
    findPackage: async (name) => (await opened).findPackage(name),
    inventory: async () => (await opened).inventory(),
    async *preview(request) {
      yield* (await opened).preview(request)
    },
    renderFigure: async (request) => (await opened).renderFigure(request),
    renderPage: async (request) => (await opened).renderPage(request),
    async close() {
      const compiler = await opened.catch(() => null) // Reported before: nothing was opened.
      await compiler?.close()
    },
  }
}
