import assert from 'node:assert/strict'
import { test } from 'node:test'

import { nameHandler } from './name-handler.ts'

const names: readonly (readonly [method: string, path: string, name: string])[] = [
  ['GET', '/repos/{owner}/{repo}/branches', 'listBranches'],
  ['GET', '/repos/{owner}/{repo}/branches/{+branch}', 'getBranch'],
  ['GET', '/repos/{owner}/{repo}/commits', 'listCommits'],
  ['GET', '/repos/{owner}/{repo}/commits/{sha}/comments', 'listCommitComments'],
  ['GET', '/repos/{owner}/{repo}/commits/{sha}/status', 'getCommitStatus'],
  ['GET', '/repos/{owner}/{repo}/git/trees/{sha}', 'getGitTree'],
  ['GET', '/repos/{owner}/{repo}/readme', 'getReadme'],
  ['POST', '/repos/{owner}/{repo}/statuses/{sha}', 'createStatus'],
  ['POST', '/repos/{owner}/{repo}/releases', 'createRelease'],
  ['POST', '/user/repos', 'createOwnRepo'],
  ['GET', '/users/{username}/gpg_keys', 'listUserGpgKeys'],
  ['GET', '/user/emails', 'listOwnEmails'],
  ['GET', '/search/repositories', 'listSearchRepositories'],
  ['GET', '/repositories', 'listRepositories'],
  ['GET', '/meta', 'getMeta'],
]

test('nameHandler() names a handler in the way of those that are there', () => {
  assert.deepEqual(
    names.map(([method, path]) => nameHandler(method, path)),
    names.map(([, , name]) => name),
  )
})
