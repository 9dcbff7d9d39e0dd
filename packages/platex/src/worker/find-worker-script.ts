import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PlatexError } from '../base/errors.ts'

/**
 * The worker script beside a module: `.ts` in the sources, `.js` in the published package, like the module itself.
 *
 * @throws PlatexError `WORKER_MISSING` if it does not exist, because the package was bundled.
 */
export function findWorkerScript(name: string, moduleUrl: string): URL {
  const script = new URL(`./${name}${moduleUrl.slice(moduleUrl.lastIndexOf('.'))}`, moduleUrl)
  if (existsSync(script)) return script
  throw new PlatexError(
    `${fileURLToPath(script)} is missing: a bundle cannot contain @texproof/platex, which starts threads from its own files. Mark the package as external.`,
    { code: 'WORKER_MISSING' },
  )
}
