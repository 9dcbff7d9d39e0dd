import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isSmartHttpTarget, parseSmartHttpTarget } from './parse-target.ts'

test('parseSmartHttpTarget() reads the three requests of git', () => {
  assert.deepEqual(
    [
      parseSmartHttpTarget('GET', '/alice/tides.git/info/refs?service=git-upload-pack'),
      parseSmartHttpTarget('POST', '/alice/tides/git-upload-pack'),
      parseSmartHttpTarget('POST', '/alice/my%2Ename.git/git-receive-pack'),
    ],
    [
      { owner: 'alice', name: 'tides', service: 'upload-pack', advertise: true },
      { owner: 'alice', name: 'tides', service: 'upload-pack', advertise: false },
      { owner: 'alice', name: 'my.name', service: 'receive-pack', advertise: false },
    ],
  )
})

test('parseSmartHttpTarget() rejects other methods, services and names', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['POST', '/alice/tides.git/info/refs?service=git-upload-pack'],
    ['GET', '/alice/tides.git/git-upload-pack'],
    ['GET', '/alice/tides.git/info/refs'],
    ['GET', '/alice/tides.git/info/refs?service=git-upload-archive'],
    ['POST', '/alice/a%2Fb.git/git-upload-pack'],
    ['POST', '/alice/%E0%A4%A/git-upload-pack'],
    ['POST', '/alice/.git/git-upload-pack'],
  ]
  assert.deepEqual(
    wrong.map(([method, target]) => parseSmartHttpTarget(method, target)),
    wrong.map(() => null),
  )
})

test('isSmartHttpTarget() is false for the pages of a repository', () => {
  const targets = [
    '/alice/tides/blob/main/info/refs',
    '/alice/tides',
    '/alice/tides.git',
    '/info/refs',
    '/alice/tides/info/refs',
  ]
  assert.deepEqual(targets.map(isSmartHttpTarget), [false, false, false, false, true])
})
