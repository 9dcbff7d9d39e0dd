import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'

import { measureStructure } from './measure-structure.ts'

const root = mkdtempSync(join(tmpdir(), 'structure-'))
after(() => rmSync(root, { recursive: true }))

const files = {
  'git/read.ts': "import { open } from './open.ts'\nimport { findUser } from '../store/find-user.ts'\n",
  'git/open.ts': 'export const open = 1\n',
  'web/star.ts': 'export const star = 1\n',
  'web/routes.ts': "import { star } from './star.ts'\n",
  'web/parse.ts': 'export const parse = 1\n',
  'web/task.ts': "import type { parse } from './parse.ts'\nimport.meta.resolve('./parse.ts')\n",
  'store/find-user.ts': "import '../git/read.ts'\nexport function findUser() {\n  db.insertInto('user')\n}\n",
  'store/list-users.ts':
    "import type { a } from '../web/page.ts'\nexport const listUsers = () => ({ remove: () => rm('a') })\n",
  'web/page.ts': `export const a = 1\n${'\n'.repeat(30)}`,
  'web/page.test.ts': "import { a } from './page.ts'\n",
}
for (const [name, text] of Object.entries(files)) {
  const path = join(root, 'packages/texproof/src', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

test('measureStructure() names the places that break a rule', () => {
  const source = 'packages/texproof/src'
  assert.deepEqual(measureStructure(root), {
    files: 9,
    lines: 45,
    medianLines: 2,
    tests: { files: 1, lines: 1 },
    singleImporter: 6,
    smallSingleImporter: 6,
    largestFolder: `${source}/web: 5`,
    foldersTooLarge: [],
    filesToMerge: [`${source}/git/open.ts: 1`],
    mutualFolders: [`${source}/git and ${source}/store`],
    upwardImports: [`${source}/store/list-users.ts imports ${source}/web/page.ts`],
    writingQueries: [`${source}/store/find-user.ts: findUser`],
  })
})
