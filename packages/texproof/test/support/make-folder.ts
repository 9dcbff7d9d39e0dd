import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Suite {
  readonly after: (clean: () => void) => void
}

/** A temporary folder, removed after the test; private by default. */
export function makeFolder(suite: Suite, mode = 0o700): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'texproof-e2e-')))
  chmodSync(folder, mode)
  // Programs that are being stopped may still write: the removal is repeated.
  suite.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
