import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

interface LockedPackage {
  readonly integrity?: string
  readonly link?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const entries = Object.entries(lock.packages)

test('package-lock.json lists the binaries of all systems, without which `npm ci` rejects it', () => {
  const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages),
    ),
  )
  assert.deepEqual(missing, [])
})

test('package-lock.json has a hash of every package that is installed on a supported system', () => {
  const allows = (names: string | readonly string[] | undefined, wanted: readonly string[]): boolean =>
    names === undefined || [names].flat().some((name) => wanted.includes(name))
  const unverified = entries
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .filter(
      ([, { os, cpu, libc }]) => allows(os, ['linux']) && allows(cpu, ['x64', 'arm64']) && allows(libc, ['glibc']),
    )
    .filter(([, { integrity }]) => integrity === undefined)
  assert.deepEqual(unverified, [])
})
