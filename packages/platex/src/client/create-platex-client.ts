import { createClient } from './create-client.ts'
import type { PlatexClient, PlatexClientConfig } from '../base/types.ts'

/**
 * Makes a client with defaults baked in, for any JavaScript runtime: it compiles at the service that `serviceUrl` of
 * the call, of `config`, or environment variable COMPILE_SERVICE_URL names, and rejects with `NO_SERVICE` without one.
 *
 * Its functions need no `this`: `const { compile, health } = createPlatexClient({ serviceUrl })`.
 */
export function createPlatexClient(config: PlatexClientConfig = {}): PlatexClient {
  return createClient(config, null)
}
