import { readFile } from 'node:fs/promises'

import { describeApi } from '../../packages/texproof/src/compat/describe-api.ts'
import { insertErrorCodes } from '../../packages/texproof/src/compat/insert-error-codes.ts'
import { insertSettings } from '../../packages/texproof/src/compat/insert-settings.ts'
import { renderCompatibility } from '../../packages/texproof/src/compat/render-compatibility.ts'

/** For contributors; not shown on the pages of a host. */
const origin =
  'Written by `npm run docs` from `packages/texproof/src/compat`; tests hold it to the code and to the clients.'

/** The generated documents, by path relative to the root of the checkout. */
export async function makeDocuments(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/compatibility.md', `${renderCompatibility()}\n${origin}\n`],
    ['docs/openapi.json', describeApi('http://localhost:3000')],
    ['packages/platex/README.md', insertErrorCodes(await readFile('packages/platex/README.md', 'utf8'))],
    ['docs/running.md', insertSettings(await readFile('docs/running.md', 'utf8'))],
  ])
}
