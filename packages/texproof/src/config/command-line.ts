import { fileURLToPath } from 'node:url'

import { quote } from '../domain/text/shell-word.ts'
import type { Config } from './read-config.ts'

// Commands that an operator can paste. `texproof` is not always on the PATH, so they name the program of this
// installation by its absolute path.

const program = fileURLToPath(new URL('../../bin/texproof', import.meta.url))

/** A command for the host in a data directory: `commandFor('/data', 'user list')`. `args` are already shell words. */
export function commandFor(dataDir: string, args: string): string {
  return `${quote(program)} ${args} --data ${quote(dataDir)}`
}

/**
 * The command of this process, to be run as another user. Names the data directory, since sudo drops the environment.
 */
export function currentCommandAs(uid: number, dataDir: string): string {
  const args = process.argv.slice(2)
  const hasData = args.some((arg) => arg === '--data' || arg.startsWith('--data='))
  const words = ['sudo', '-u', `#${uid}`, program, ...args, ...(hasData ? [] : ['--data', dataDir])]
  return words.map(quote).join(' ')
}

/** The command that starts this host with its current flags and additional environment variables. */
export function serveCommand(
  { dataDir, origins }: Pick<Config, 'dataDir' | 'origins'>,
  variables: Readonly<Record<string, string>>,
): string {
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value} `)
  const flags = origins
    .filter(({ key, source }) => source === 'flag' && variables[`TEXPROOF_${key.toUpperCase()}`] === undefined)
    .map(({ key, value }) => serveFlag(key, value ?? ''))
  return `${assignments.join('')}${commandFor(dataDir, 'serve')}${flags.join('')}`
}

function serveFlag(key: string, value: string): string {
  if (key === 'listen') return ` --listen ${quote(value)}`
  if (key === 'base_url') return ` --base-url ${quote(value)}`
  return key === 'sandbox' && value === 'none' ? ' --unsafe-no-sandbox' : ''
}
