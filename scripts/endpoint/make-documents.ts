import { readFile } from 'node:fs/promises'

import { describeApi } from '../../packages/texproof/src/compat/describe-api.ts'
import { insertSettings } from '../../packages/texproof/src/compat/insert-settings.ts'
import { renderCompatibility } from '../../packages/texproof/src/compat/render-compatibility.ts'

/** For who would change the document; readers of a host's pages have no use for it. */
const origin =
  'Written by `npm run docs` from `packages/texproof/src/compat`; tests hold it to the code and to the clients.'

/** The documents that are made from the code, by their path from the root of the checkout, where they are read. */
export async function makeDocuments(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/compatibility.md', `${renderCompatibility()}\n${origin}\n`],
    ['docs/openapi.json', describeApi('http://localhost:3000')],
    ['docs/running.md', insertSettings(await readFile('docs/running.md', 'utf8'))],
  ])
}
