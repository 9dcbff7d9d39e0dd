/** Creates repository 1 under a root and kills itself with SIGKILL after step number `n`. Arguments: root, n. */
import { openGitStore } from '../../../src/git/open-git-store.ts'
import { initialCommit } from '../git/git-repository.ts'
import { killSelf } from './kill-self.ts'

const [root = '', lastStep = '0'] = process.argv.slice(2)
let step = 0
const store = await openGitStore({
  root,
  onStep: () => {
    step += 1
    if (step === Number(lastStep)) killSelf()
  },
})
await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
await store.close()
