import type { CompileProgress } from '../base/types.ts'

/** How to reach a compile service: what of the options concerns the way there. */
export interface RemoteService {
  readonly serviceUrl: string
  readonly apiKey?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly retry?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}
