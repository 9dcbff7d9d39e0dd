/** A host in this process whose steps are observable, so that a test can end the process or fail the database. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { pino } from 'pino'

import { openParsers, type Parsers } from '../../../src/base/open-parsers.ts'
import { readConfig } from '../../../src/config/read-config.ts'
import { openDemo } from '../../../src/operations/demo/open-demo.ts'
import { openRooms } from '../../../src/live/open-rooms.ts'
import type { Deps } from '../../../src/operations/deps.ts'
import { openGitStore } from '../../../src/git/open-git-store.ts'
import type { GitStore } from '../../../src/git/types.ts'
import { openMail } from '../../../src/mail/open-mail.ts'
import { openEmailQueue } from '../../../src/mail/email-queue.ts'
import { openPapers } from '../../../src/papers/open-papers.ts'
import { createSmartHttpListener } from '../../../src/smart-http/listener.ts'
import { openStore } from '../../../src/store/store.ts'

/** `statement` = a database statement about to run; `git` = before or after a change of a repository. */
export interface FaultStep {
  readonly kind: 'statement' | 'git'
  readonly text: string
}

export interface FaultHost {
  readonly deps: Deps
  /** Base URL for git over HTTP. */
  readonly origin: string
  close(): Promise<void>
}

export interface FaultHostOptions {
  readonly onStep?: (step: FaultStep) => void
  /** Concurrent builds; by default 0, so that all steps belong to the operation. */
  readonly buildsAtOnce?: number
  /** Threads to share; they stay open. */
  readonly parsers?: Parsers
  /** PATH under which the host finds git. */
  readonly searchPath?: string
}

/** Opens a host on a data directory. */
export async function openFaultHost(dataDir: string, options: FaultHostOptions = {}): Promise<FaultHost> {
  const { onStep = () => {}, buildsAtOnce = 0 } = options
  const { config: found } = readConfig({ data: dataDir }, {})
  const build = { ...found.build, concurrency: buildsAtOnce }
  const config = { ...found, sandbox: 'none', isPushToCreate: true, build } as const
  const log = pino({ level: 'silent' })
  const store = await openStore({
    dataDir,
    isServer: true,
    beforeStatement: (sql) => onStep({ kind: 'statement', text: sql }),
  })
  const recordStep = (text: string): void => onStep({ kind: 'git', text })
  const root = join(dataDir, 'repositories')
  const path = options.searchPath === undefined ? {} : { searchPath: options.searchPath }
  const git = watchGit(await openGitStore({ root, log, onStep: recordStep, ...path }), recordStep)
  const parsers = options.parsers ?? openParsers()
  const opened = await openPapers({ config, log, store, git, parsers })
  // Pushes do not wait for a PDF here.
  const papers = { ...opened, watchPushes: async function* () {} }
  const mail = openMail(null, { log, queue: openEmailQueue(store.queuedEmails, config) })
  const demo = openDemo({ git, log, papers, store })
  const rooms = openRooms({ store, log })
  const deps: Deps = { config, log, store, git, parsers, papers, rooms, mail, demo }
  const server = createServer(createSmartHttpListener(deps)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    deps,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await rooms.close()
      await papers.close()
      await mail.close()
      await git.close()
      await store.close()
      if (options.parsers === undefined) await parsers.close()
    },
  }
}

/** Wraps a store with a step before and after every change of a repository and every check of a push. */
function watchGit(git: GitStore, recordStep: (text: string) => void): GitStore {
  const around = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    recordStep(`before ${what}`)
    const result = await work()
    recordStep(`after ${what}`)
    return result
  }
  return {
    ...git,
    removeRepository: (id) => around('removeRepository', () => git.removeRepository(id)),
    changeRefs: (id, changes) => around('changeRefs', () => git.changeRefs(id, changes)),
    setDefaultBranch: (id, name) => around('setDefaultBranch', () => git.setDefaultBranch(id, name)),
    pushCommit: (id, commit) => {
      const { around: move = (_id, push) => push() } = commit
      const watched: typeof move = (commitId, push) => move(commitId, () => around('push of a commit', push))
      return around('pushCommit', () => git.pushCommit(id, { ...commit, around: watched }))
    },
    servePack(id, options) {
      const { admit } = options
      if (options.service !== 'receive-pack' || options.advertise || admit === undefined)
        return git.servePack(id, options)
      recordStep('before receive-pack')
      const served = git.servePack(id, { ...options, admit: () => around('the answer to the hook', admit) })
      const exit = served.exit.then((ended) => {
        recordStep('after receive-pack')
        return ended
      })
      return { ...served, exit }
    },
  }
}
