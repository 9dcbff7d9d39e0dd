import { createClient } from '../client/create-client.ts'
import type { PlatexClient, PlatexClientConfig } from '../base/types.ts'
import { compileLocally } from '../compile/compile-locally.ts'

/**
 * Makes a client with defaults baked in. It compiles remotely when a service URL resolves (`serviceUrl` of the call,
 * of `config`, or environment variable COMPILE_SERVICE_URL), locally otherwise.
 *
 * Its functions need no `this`: `const { compile, health } = createPlatexClient()`.
 */
export function createPlatexClient(config: PlatexClientConfig = {}): PlatexClient {
  return createClient(config, compileLocally)
}
