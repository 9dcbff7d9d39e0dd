/**
 * `npm run dev`: a server with the demo data in its own data directory, which restarts when a source changes. The passwords
 * of the demo accounts are stored beside the data and printed at each start, because by default only this machine can
 * connect.
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
/** Modules, and the styles, browser scripts and texts that they read. */
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
  void demo.people.then((people) => printPeople(people, demo.words))
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
    // Unknown option: print the usage.
    return null
  }
}

function startServer(dataDir: string, listen: string): ChildProcess {
  // A server that is killed loses nothing, and waiting for builds would delay the restart.
  const watching = [
    '--watch',
    '--watch-preserve-output',
    '--watch-kill-signal=SIGKILL',
    ...watched.map((folder) => `--watch-path=${folder}`),
  ]
  const command = ['scripts/dev/serve.ts', 'serve', '--data', dataDir, '--listen', listen]
  return spawn('scripts/pinned-node', [...watching, ...command], { stdio: 'inherit' })
}

/** Forwards signals; resolves when the server has exited. */
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

function printPeople(people: DemoPeople | null, words: () => string): void {
  if (people === null) console.error(`Loading the demo data failed:\n${words()}`)
  else
    for (const [login, password] of Object.entries(people))
      console.error(`Sign in as ${login} with password ${password}`)
}
