import { openGitStore } from '../../../src/git/open-git-store.ts'
import { createRepository } from '../../../src/operations/repository/create-repository.ts'
import { openStore } from '../../../src/store/store.ts'
import { killSelf } from './kill-self.ts'

// `create-and-die.ts DATA_DIR N`: creates alice's repository `tides` and kills itself at the N-th step.
// Prints `done` if it reaches the end.

const [dataDir = '', fatalStep = ''] = process.argv.slice(2)
let step = 0
// The ids of objects, and so the number of folders to create, would depend on the time of the commit.
Date.now = () => 1_700_000_000_000

const store = await openStore({ dataDir })
const git = await openGitStore({ root: `${dataDir}/repositories`, onStep: recordStep })
const owner = await store.users.findByLogin('alice')
if (owner === null) throw new Error('alice is missing')

const repositories = {
  ...store.repositories,
  async addUnfinished(...args: Parameters<typeof store.repositories.addUnfinished>) {
    const id = await store.repositories.addUnfinished(...args)
    recordStep()
    return id
  },
  async markReady(id: number) {
    const repository = await store.repositories.markReady(id)
    recordStep()
    return repository
  },
}
await createRepository(
  { store: { ...store, repositories }, git },
  {
    owner,
    name: 'tides',
    description: null,
    visibility: 'public',
    firstCommit: { gitignore: 'TeX', license: 'mit' },
    authorEmail: 'noreply@localhost',
    projectUrl: 'http://localhost/alice/tides',
  },
)
process.stdout.write('done')
await git.close()
await store.close()

function recordStep(): void {
  if (step === Number(fatalStep)) killSelf()
  step += 1
}
