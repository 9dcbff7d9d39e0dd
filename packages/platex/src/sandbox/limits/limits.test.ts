import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileMemoryBytes, limitArguments } from './limits.ts'
import { processLimit } from '../bwrap/open-bubblewrap.ts'

test('limitArguments sets processor time to the remaining wall-clock time and two seconds', () => {
  assert.equal(
    limitArguments(1_500, 64).find((argument) => argument.startsWith('--cpu')),
    '--cpu=4:5',
  )
})

test('compileMemoryBytes leaves memory to the service on small machines', () => {
  const MIB = 1024 * 1024
  assert.deepEqual(
    [1024, 2048, 4096, 65_536].map((mib) => compileMemoryBytes(mib * MIB) / MIB),
    [384, 768, 1536, 1536],
  )
})

test('limitArguments sets no limit on processes without a maximum', () => {
  assert.equal(
    limitArguments(1_500, null).some((argument) => argument.startsWith('--nproc')),
    false,
  )
})

test('processLimit is per run on kernels that count processes per user namespace', () => {
  assert.deepEqual(['5.14.0-1-amd64', '6.1.0', '5.13.19', '4.19.0'].map(processLimit), [64, 64, 1024, 1024])
})
