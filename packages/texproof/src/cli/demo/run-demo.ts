import { join } from 'node:path'

import { pino } from 'pino'

import { readConfig } from '../../config/read-config.ts'
import { beginDemo, fillDemo } from '../../operations/demo/load-demo.ts'
import { removeDemo } from '../../operations/demo/remove-demo.ts'
import type { RemoveDemoOutcome } from '../../operations/demo/remove-demo.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import { openGitStore } from '../../git/open-git-store.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { openPapers } from '../../papers/open-papers.ts'
import { openStore } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { prepareDataDir } from '../prepare-data-dir.ts'
import { printJson } from '../print.ts'
import { say } from '../say.ts'

export interface DemoOptions {
  readonly data?: string
  readonly clean?: true
  readonly json?: true
}

/** Loads or removes the demonstration, beside a running host or without one; every paper is built when it ends. */
export async function runDemo({ data, clean, json }: DemoOptions): Promise<void> {
  const { config } = readConfig({ data })
  await prepareDataDir(config.dataDir)
  const store = await openStore({ dataDir: config.dataDir })
  const git = await openGitStore({ root: join(config.dataDir, 'repositories') })
  const parsers = openParsers()
  try {
    if (clean === true) tellRemoved(await removeDemo({ store, git }))
    else await load({ config, store, git, parsers, log: pino({ level: 'silent' }) }, json === true)
  } finally {
    await parsers.close()
    await git.close()
    await store.close()
  }
}

async function load(deps: Omit<Deps, 'papers' | 'mail' | 'demo'>, isJson: boolean): Promise<void> {
  const papers = await openPapers(deps, { takesUp: false })
  try {
    const begun = await beginDemo({ ...deps, papers })
    if (begun.kind === 'busy') throw busy()
    if (begun.kind === 'loaded-before') {
      say('The demonstration is here already. Remove it with: texproof demo --clean')
      return
    }
    const made: Repository[] = []
    const onProgress = (repository: Repository): void => {
      made.push(repository)
      say(`  made ${repository.owner.login}/${repository.name}`)
    }
    const passwords = await fillDemo({ ...deps, papers }, begun.hold, { hasPasswords: true, onProgress })
    // A program that waits for the passwords need not wait for the builds; a person reads the last lines.
    if (isJson) await printJson(Object.fromEntries(passwords))
    for (const repository of made) await tellWhenBuilt(deps, repository)
    if (!isJson) for (const [login, password] of passwords) say(`Sign in as ${login} with the password ${password}`)
    say('Remove all of it with: texproof demo --clean')
  } finally {
    await papers.close()
  }
}

/** The database is asked, now and then: builds of this process and of a host beside it end there alike. */
async function tellWhenBuilt({ store }: Pick<Deps, 'store'>, { id, owner, name }: Repository): Promise<void> {
  for (;;) {
    const builds = await store.builds.list(id, { limit: 100, offset: 0 })
    if (builds.every(({ state }) => state !== 'queued' && state !== 'running')) {
      const failed = builds.filter(({ state }) => state === 'failed').length
      const words = failed === 0 ? '' : `, ${failed} with errors`
      if (builds.length > 0) say(`  built ${owner.login}/${name}: ${countOf(builds.length, 'build')}${words}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function tellRemoved(outcome: RemoveDemoOutcome): void {
  if (outcome === 'busy') throw busy()
  say(outcome === 'removed' ? 'Removed the demonstration.' : 'There is none here.')
}

function busy(): CliError {
  return new CliError('the demonstration is being loaded or removed at this moment, by another process', {
    exitCode: exitCodes.failed,
    remedy: 'Try again in half a minute: what a dead process left half done is taken over then.',
  })
}
