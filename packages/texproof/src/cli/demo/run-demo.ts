import { join } from 'node:path'

import { pino } from 'pino'

import { commandFor } from '../../config/command-line.ts'
import { readConfig } from '../../config/read-config.ts'
import { beginDemo, fillDemo } from '../../operations/demo/load-demo.ts'
import { removeDemo } from '../../operations/demo/remove-demo.ts'
import type { RemoveDemoOutcome } from '../../operations/demo/remove-demo.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import { openGitStore } from '../../git/open-git-store.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { openPapers } from '../../papers/open-papers.ts'
import { openStore } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { createDataDir } from '../data-dir.ts'
import { printJson } from '../print.ts'
import { reportBuilds } from '../repo/report-builds.ts'
import { say } from '../say.ts'

export interface DemoOptions {
  readonly data?: string
  readonly clean?: true
  readonly json?: true
}

/** Adds or removes the demo data, whether or not a server is running, and waits for the builds. */
export async function runDemo({ data, clean, json }: DemoOptions): Promise<void> {
  const { config } = readConfig({ data })
  await createDataDir(config)
  const store = await openStore({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, migratesServed: false })
  const git = await openGitStore({ root: join(config.dataDir, 'repositories') })
  const parsers = openParsers()
  try {
    if (clean === true) reportRemoval(await removeDemo({ store, git }))
    else await load({ config, store, git, parsers, log: pino({ level: 'silent' }) }, json === true)
  } finally {
    await parsers.close()
    await git.close()
    await store.close()
  }
}

async function load(deps: Omit<Deps, 'papers' | 'rooms' | 'mail' | 'demo'>, isJson: boolean): Promise<void> {
  const papers = await openPapers(deps, { isServer: false })
  try {
    const begun = await beginDemo({ ...deps, papers })
    if (begun.kind === 'busy') throw busy()
    if (begun.kind === 'loaded-before') {
      say(`Demo data already exists. Remove it: ${commandFor(deps.config.dataDir, 'demo --clean')}`)
      return
    }
    const made: Repository[] = []
    const onProgress = (repository: Repository): void => {
      made.push(repository)
      say(`  created ${repository.owner.login}/${repository.name}`)
    }
    const passwords = await fillDemo({ ...deps, papers }, begun.hold, { hasPasswords: true, onProgress })
    // Programs get the passwords before the builds end; for users they are printed last.
    if (isJson) await printJson(Object.fromEntries(passwords))
    for (const repository of made) await reportBuilds(deps, repository)
    if (!isJson) for (const [login, password] of passwords) say(`Sign in as ${login} with password ${password}`)
    say(`Remove the demo data: ${commandFor(deps.config.dataDir, 'demo --clean')}`)
  } finally {
    await papers.close()
  }
}

function reportRemoval(outcome: RemoveDemoOutcome): void {
  if (outcome === 'busy') throw busy()
  say(outcome === 'removed' ? 'Removed the demo data' : 'No demo data found')
}

function busy(): CliError {
  return new CliError('another process is adding or removing the demo data', {
    exitCode: exitCodes.failed,
    remedy: 'Try again in 30 seconds. Unfinished work of a crashed process is cleaned up then.',
  })
}
