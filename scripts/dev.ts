/**
 * `npm run dev`: a host with the demonstration on it, in a folder of its own, that begins again at every change of the
 * sources. The passwords of its people are kept beside its data and printed at each start: nothing there is worth more
 * than a look, and by default nobody but this machine reaches it.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { bringDemo } from './dev/demo-people.ts'
import type { DemoPeople } from './dev/demo-people.ts'

const usage = 'Usage: npm run dev [-- --listen localhost:3000] [--data .dev]'
const root = new URL('..', import.meta.url).pathname
/** All that a page is made of: modules, and the styles, scripts and texts that they read. */
const watched = ['packages/platex/src', 'packages/texproof/src']

process.chdir(root)
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options === null) {
    console.error(usage)
    return 2
  }
  const dataDir = resolve(options.data)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const demo = await bringDemo(dataDir)
  void demo.people.then((people) => tellPeople(people, demo.words))
  const exitCode = await endOf(startServer(dataDir, options.listen))
  demo.stop()
  return exitCode
}

function readOptions(args: readonly string[]): { readonly data: string; readonly listen: string } | null {
  try {
    const options = {
      data: { type: 'string', default: '.dev' },
      listen: { type: 'string', default: 'localhost:3000' },
    } as const
    return parseArgs({ args: [...args], options }).values
  } catch {
    // An option that there is not; the usage says which there are.
    return null
  }
}

function startServer(dataDir: string, listen: string): ChildProcess {
  // Killed at any moment a host begins again with nothing lost, and a build under way is not worth a wait.
  const watching = [
    '--watch',
    '--watch-preserve-output',
    '--watch-kill-signal=SIGKILL',
    ...watched.map((folder) => `--watch-path=${folder}`),
  ]
  const command = ['scripts/dev/serve.ts', 'serve', '--data', dataDir, '--listen', listen]
  return spawn('scripts/pinned-node', [...watching, ...command], { stdio: 'inherit' })
}

/** A signal is handed on; ends when the server has. */
function endOf(server: ChildProcess): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
  return new Promise((done) => {
    server.on('error', (error) => {
      console.error(error.message)
      done(1)
    })
    server.on('close', (exitCode) => done(exitCode ?? 0))
  })
}

function tellPeople(people: DemoPeople | null, words: () => string): void {
  if (people === null) console.error(`The demonstration was not loaded:\n${words()}`)
  else
    for (const [login, password] of Object.entries(people))
      console.error(`Sign in as ${login} with the password ${password}`)
}
