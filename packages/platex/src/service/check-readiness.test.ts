import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { checkReadiness, type Readiness } from './check-readiness.ts'
import { createCompileService } from './compile-service.ts'
import type { ServiceEvent } from './service-event.ts'

const folder = await mkdtemp(join(tmpdir(), 'platex-readiness-'))
await chmod(folder, 0o755)
after(() => rm(folder, { recursive: true, force: true }))
process.env['PATH'] = `${folder}:${process.env['PATH']}`

/** The readiness with a biber that writes a log and fails. */
async function checkWithBiber(log: string): Promise<Readiness> {
  const script = `#!/bin/sh\nfor job; do :; done\necho '${log}'\necho '${log}' > "\${job%.bcf}.blg"\nexit 2\n`
  await writeFile(join(folder, 'biber'), script, { mode: 0o755 })
  return checkReadiness(createCompileService({ log: () => {}, cacheDir: join(folder, 'cache') }))
}

const biberOf = (readiness: Readiness): unknown =>
  readiness.status === 'ready' ? [readiness.biberWorks, readiness.biberFailure] : readiness

test('checkReadiness() reports incompatible versions of biber and biblatex', async () => {
  const log = 'ERROR - Error: Found biblatex control file version 3.9, expected version 3.8.'
  assert.deepEqual(biberOf(await checkWithBiber(log)), [
    false,
    { message: 'biber and biblatex are incompatible', remedy: 'Install both from the same TeX Live release.' },
  ])
})

test('checkReadiness() reports another failure of biber as it is', async () => {
  assert.deepEqual(biberOf(await checkWithBiber('Out of memory!')), [
    false,
    {
      message: 'the test document with biblatex failed: biber needs more memory than a compile may have (main.bcf)',
      remedy: null,
    },
  ])
})

test('checkReadiness() ends without an error when the service shuts down', async () => {
  const events: ServiceEvent[] = []
  const service = createCompileService({ log: (event) => events.push(event), cacheDir: join(folder, 'cache') })
  const checking = checkReadiness(service)
  await service.shutdown.drain()
  assert.deepEqual([await checking, events], [{ status: 'not-ready', reason: 'the service is shutting down' }, []])
})
