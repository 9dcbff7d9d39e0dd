import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { readVersion } from '../../base/read-version.ts'
import type { Config } from '../../config/read-config.ts'
import { defaultSearchPath } from '../../git/process/spawn-git.ts'

/**
 * Records that the sandbox has passed its test, which takes 0.1 s, so that the next start does not wait for it.
 *
 * The record only decides when the address is printed. Each start tests the sandbox, builds wait for this test, and the
 * server ends if it fails.
 */
export interface SandboxRecord {
  /** Whether the sandbox has passed its test on this machine since it was booted. */
  readonly isValid: boolean
  /** Makes the record valid for the next start. @throws Error of the file system. */
  store(): Promise<void>
  /** Lets the next start wait for the test. */
  remove(): Promise<void>
}

/** Reads the record of a data directory. Synchronous, because a start waits for nothing else at this point. */
export function readSandboxRecord({ dataDir, sandbox }: Pick<Config, 'dataDir' | 'sandbox'>): SandboxRecord {
  const path = join(dataDir, 'cache', 'sandbox-tested')
  const machine = describeMachine()
  const expected = `${sandbox}\n${machine}`
  const isValid = machine !== null && valueOf(() => readFileSync(path, 'utf8')) === expected
  return {
    isValid,
    async store() {
      if (isValid || machine === null) return
      // Without builds, or as root, it may be the first file of the cache.
      await mkdir(dirname(path), { recursive: true, mode: 0o711 })
      await writeFile(path, expected)
    },
    remove: () => rm(path, { force: true }),
  }
}

/** What the result of a test depends on and can change between starts; null if it cannot be determined. */
function describeMachine(): string | null {
  const boot = valueOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
  const userNamespace = valueOf(() => readlinkSync('/proc/self/ns/user'))
  if (boot === null || userNamespace === null) return null
  const programs = defaultSearchPath.split(':').flatMap((folder) => {
    const path = join(folder, 'bwrap')
    const found = valueOf(() => statSync(path))
    return found === null ? [] : [`${path} ${found.ino} ${found.ctimeMs}`]
  })
  return [readVersion(), boot.trim(), userNamespace, process.getuid?.(), ...programs].join('\n')
}

function valueOf<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null // Absent, or not on Linux.
  }
}
