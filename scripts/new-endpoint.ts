/**
 * `npm run new:endpoint -- GET "/repos/{owner}/{repo}/commits"`: the four things that make an endpoint, so that what is
 * left is to write it. The handler answers 404 and its test is red until somebody does.
 */
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

import { titleOf } from './endpoint/endpoint.ts'
import type { Endpoint } from './endpoint/endpoint.ts'
import { insertRoute } from './endpoint/insert-route.ts'
import { findCatcher, parseEndpoint } from './endpoint/parse-endpoint.ts'
import { renderHandlerTest } from './endpoint/render-handler-test.ts'
import { renderHandler } from './endpoint/render-handler.ts'
import { handlerFile, handlersFolder, routesFile } from './endpoint/source-files.ts'

const usage = 'Usage: npm run new:endpoint -- GET "/repos/{owner}/{repo}/commits" [--name listCommits]'

process.chdir(new URL('..', import.meta.url).pathname)
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const wanted = readArguments(args)
  if (wanted === null) return refuse(usage)
  const outcome = parseEndpoint(wanted)
  if ('refusal' in outcome) return refuse(outcome.refusal)
  const { endpoint } = outcome
  const file = `${handlersFolder}/${handlerFile(endpoint.name)}`
  const table = insertRoute(await readFile(routesFile, 'utf8'), endpoint, findCatcher(endpoint))
  await writeFile(`${file}.ts`, renderHandler(endpoint), { flag: 'wx' })
  await writeFile(`${file}.test.ts`, renderHandlerTest(endpoint), { flag: 'wx' })
  await writeFile(routesFile, table)
  for (const made of [`${file}.ts`, `${file}.test.ts`]) console.log(`wrote ${made}`)
  console.log(`wrote a row for ${titleOf(endpoint)} into ${routesFile}`)
  const isGood =
    runHere(['scripts/write-documents.ts']) && runHere(['node_modules/.bin/oxfmt', `${file}.ts`, `${file}.test.ts`])
  if (isGood) tellWhatIsLeft(endpoint)
  return isGood ? 0 : 1
}

function readArguments(args: readonly string[]): { method: string; path: string; name: string | null } | null {
  try {
    const options = { name: { type: 'string' } } as const
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [method, path, ...others] = positionals
    if (method === undefined || path === undefined || others.length > 0) return null
    return { method, path, name: values.name ?? null }
  } catch {
    // An option that there is not; the usage says which there are.
    return null
  }
}

function runHere(args: readonly string[]): boolean {
  return spawnSync('scripts/pinned-node', args, { stdio: 'inherit' }).status === 0
}

function tellWhatIsLeft(endpoint: Endpoint): void {
  console.log(`
Next:
  npm test -- ${handlerFile(endpoint.name)}    red, and it says what to write
Then say in its row of packages/texproof/src/compat/matrix.ts what it answers, take out \`state\`, and
  npm run docs && npm run check`)
}

function refuse(words: string): number {
  console.error(words)
  return 2
}
