/**
 * Loads the demo data and kills itself at the third repository: `noted` = after the record names it, `unnoted` =
 * before. Arguments: data directory, when.
 */
import { join } from 'node:path'

import { pino } from 'pino'

import { readConfig } from '../../../src/config/read-config.ts'
import { beginDemo, fillDemo } from '../../../src/operations/demo/load-demo.ts'
import { openGitStore } from '../../../src/git/open-git-store.ts'
import { openParsers } from '../../../src/base/open-parsers.ts'
import { openPapers } from '../../../src/papers/open-papers.ts'
import { openStore } from '../../../src/store/store.ts'
import { killSelf } from './kill-self.ts'

const [dataDir = '', when = ''] = process.argv.slice(2)
const { config } = readConfig({ data: dataDir })
const log = pino({ level: 'silent' })
const store = await openStore({ dataDir })
const git = await openGitStore({ root: join(dataDir, 'repositories') })
const papers = await openPapers({ config, log, store, git, parsers: openParsers() }, { isServer: false })
let madeCount = 0
const dying: typeof git = {
  ...git,
  async importCommits(...args) {
    if (madeCount === 3) killSelf()
    await git.importCommits(...args)
  },
}
const repositories: typeof store.repositories = {
  ...store.repositories,
  async markReady(id) {
    const repository = await store.repositories.markReady(id)
    madeCount += 1
    if (madeCount === 3 && when === 'unnoted') killSelf()
    return repository
  },
}
const deps = { git: dying, papers, store: { ...store, repositories } }
const begun = await beginDemo(deps)
if (begun.kind === 'begun') await fillDemo(deps, begun.hold, { hasPasswords: false })
