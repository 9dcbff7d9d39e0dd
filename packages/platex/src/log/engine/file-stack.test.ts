import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFileNames } from './file-names.ts'
import { createFileStack } from './file-stack.ts'

test('createFileStack() keeps the innermost files of a log that opens thousands', () => {
  const log = {
    engine: null,
    log: new Uint8Array(),
    stdout: new Uint8Array(),
    recordedFiles: ['main.tex', 'chapter.tex'],
    workspacePath: null,
    rootFile: 'main.tex',
    sources: new Map([
      ['main.tex', ''],
      ['chapter.tex', ''],
    ]),
  }
  const stack = createFileStack(createFileNames(log, [], true))
  stack.scan(`${'(main.tex '.repeat(5_000)}(chapter.tex`)
  const { userFile, userFiles } = stack.position()
  assert.deepEqual([userFile, userFiles.length], ['chapter.tex', 500])
})
