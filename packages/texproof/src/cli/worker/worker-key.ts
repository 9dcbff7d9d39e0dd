import { randomInt } from 'node:crypto'

import type { Command } from 'commander'

import { commandFor } from '../../config/command-line.ts'
import { parseId } from '../../domain/parse-id.ts'
import { hashToken, makeWorkerKey } from '../../domain/token.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { readHostConfig } from '../read-host-config.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface WorkerKeyOptions {
  readonly data?: string
  readonly json?: true
}

const examples = `
A worker with this key can read the sources of every repository it builds, and submit PDFs.

Examples:
  $ texproof worker-key create --name rack2 > rack2.key
  $ texproof worker-key list
  $ texproof worker-key revoke 3`

/** `texproof worker-key create|list|revoke`: the keys with which workers take builds. */
export function defineWorkerKey(program: Command): void {
  const key = program.command('worker-key').description('manage the keys of workers').exitOverride()
  key
    .command('create')
    .description('create a key and print it')
    .option('--name <text>', 'name of the key', 'worker')
    .addOption(dataOption())
    .option('--json', 'print key and id as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(createKey)
  key
    .command('list')
    .description('list the keys')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .exitOverride()
    .action(listKeys)
  key
    .command('revoke <id>')
    .description('revoke a key; workers that use it are rejected')
    .addOption(dataOption())
    .option('--json', 'print the result as JSON')
    .exitOverride()
    .action(revokeKey)
}

async function createKey({ data, name, json }: WorkerKeyOptions & { readonly name: string }): Promise<void> {
  const config = readHostConfig(data)
  if (!/^[\x20-\x7e]{1,100}$/.test(name))
    throw new CliError('invalid key name', {
      exitCode: exitCodes.usage,
      remedy: 'Expected: at most 100 printable ASCII characters.',
    })
  const text = makeWorkerKey(randomInt)
  const { id } = await withStore(config, (store) => store.workerKeys.add({ name, hash: hashToken(text) }))
  if (json) return printJson({ id, name, key: text })
  await print(`${text}\n`)
  say(`Copy the key now: it is not shown again. Start a worker with it:`)
  say(`  texproof worker --server ${config.baseUrl} --key-file FILE`)
}

async function listKeys({ data, json }: WorkerKeyOptions): Promise<void> {
  const config = readHostConfig(data)
  const keys = await withStore(config, (store) => store.workerKeys.list())
  const shown = keys.map(({ id, name, createdAt }) => ({ id, name, created_at: new Date(createdAt).toISOString() }))
  if (json) return printJson(shown)
  if (shown.length === 0) say('No worker keys')
  for (const { id, name, created_at: createdAt } of shown)
    await print(`${id}  ${name}  (created ${createdAt.slice(0, 10)})\n`)
}

async function revokeKey(text: string, { data, json }: WorkerKeyOptions): Promise<void> {
  const config = readHostConfig(data)
  const id = parseId(text)
  if (id === null || !(await withStore(config, (store) => store.workerKeys.remove(id))))
    throw new CliError(`worker key ${JSON.stringify(text)} not found in ${config.dataDir}`, {
      exitCode: exitCodes.usage,
      remedy: `List keys: ${commandFor(config.dataDir, 'worker-key list')}`,
    })
  if (json) await printJson({ id, done: 'revoke' })
  else say(`Revoked worker key ${id}`)
}
