import type { LatexError, LatexWarning, RawPassLog } from '../../src/api/index.ts'

/** All fields that a response of the service or the handler may have. */
export interface AnswerBody {
  readonly pdf: string | null
  readonly errors: readonly LatexError[]
  readonly warnings: readonly LatexWarning[]
  readonly logs: readonly RawPassLog[]
  readonly pages: number
  readonly outputs?: Readonly<Record<string, string | null>>
  readonly stats: { readonly passes: number }
  readonly error: string
  readonly code: string
  readonly status: string
  readonly programs: readonly string[]
  readonly version: string
  readonly biberWorks: boolean | null
}

/** The JSON body of a response. */
export async function readJson(response: Response): Promise<AnswerBody> {
  return JSON.parse(await response.text()) as AnswerBody
}
