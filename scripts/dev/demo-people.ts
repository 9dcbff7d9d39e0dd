import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Passwords by username. */
export type DemoPeople = Readonly<Record<string, string>>

/** The demo data of a data directory, perhaps still loading. */
export interface BroughtDemo {
  /** The demo accounts, known while documents are still being built; null if loading failed, with the reason in `words`. */
  readonly people: Promise<DemoPeople | null>
  /** The output of the command so far. */
  readonly words: () => string
  stop(): void
}

const texproof = 'packages/texproof/bin/texproof'

/**
 * Loads the demo data with `texproof demo`, unless an earlier start has; resolves as soon as there is an administrator.
 */
export async function bringDemo(dataDir: string): Promise<BroughtDemo> {
  const file = join(dataDir, 'demo-people.json')
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known !== null) return { people: Promise.resolve(parsePeople(known)), words: () => '', stop: () => {} }
  // Delete incomplete demo data of an earlier start: its passwords are unknown.
  if (existsSync(join(dataDir, 'texproof.db'))) await runTexproof(['demo', '--clean', '--data', dataDir]).ended
  const { answered, firstMade, words, stop } = runTexproof(['demo', '--json', '--data', dataDir])
  const people = answered.then(async (text) => {
    if (text !== null) await writeFile(file, text, { mode: 0o600 })
    return text === null ? null : parsePeople(text)
  })
  await firstMade
  return { people, words, stop }
}

function parsePeople(text: string): DemoPeople {
  return JSON.parse(text) as DemoPeople
}

/** `answered` = its line on standard output, or null if it ended without one. */
function runTexproof(args: readonly string[]) {
  const child = spawn(texproof, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
  const answered = new Promise<string | null>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    void ended.then(() => resolve(null))
  })
  let words = ''
  const firstMade = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      words += chunk
      if (/^ {2}created /m.test(words)) resolve()
    })
    void ended.then(() => resolve())
  })
  return { ended, answered, firstMade, words: () => words, stop: () => void child.kill() }
}
