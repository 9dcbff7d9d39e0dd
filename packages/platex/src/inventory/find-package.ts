import { readFile } from 'node:fs/promises'

import { closest } from '../explain/closest.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { TexFiles } from './list-tex-files.ts'
import { readPackageVersion } from './read-package-version.ts'
import { findPackageHost, findProvider, installCommand } from './package-host.ts'
import type { PackageAnswer } from './types.ts'

const MAX_SIMILAR = 8
/** A package declares its name and version in its first lines. */
const MAX_READ = 200_000

/** The installation to search. */
interface Surroundings {
  readonly sandbox: Pick<Sandbox, 'ask'>
  readonly files: TexFiles
}

/** Whether documents on this machine can load a package or class: `siunitx`, `siunitx.sty`, `beamer.cls`. */
export async function findPackage(typed: string, { sandbox, files }: Surroundings): Promise<PackageAnswer> {
  const [, name, extension] = /^([A-Za-z0-9][A-Za-z0-9_+.-]{0,80}?)(?:\.(sty|cls))?$/.exec(typed.trim()) ?? []
  if (name === undefined) return { kind: 'no-name' }
  const wanted = extension === undefined ? (['cls', 'sty'] as const) : [extension]
  for (const kind of wanted) {
    // Look in the lists before starting a process: every reader of the page can search.
    if (!(kind === 'sty' ? files.packages : files.classes).has(name)) continue
    const fileName = `${name}.${kind}`
    const path = (await sandbox.ask('kpsewhich', [fileName]))?.trim() ?? ''
    if (!path.startsWith('/')) continue
    // An unreadable file has no version.
    const source = (await readFile(path, 'latin1').catch(() => '')).slice(0, MAX_READ)
    return { kind: 'installed', fileName, version: readPackageVersion(source) }
  }
  const names = wanted.map((kind) => `${name}.${kind}`)
  return {
    kind: 'missing',
    installCommand: await suggestInstall(name, { sandbox, names }),
    similar: listSimilar(name, files),
  }
}

/** Install command of the package with one of these files, or with this name in TeX Live. */
async function suggestInstall(
  name: string,
  { sandbox, names }: { readonly sandbox: Pick<Sandbox, 'ask'>; readonly names: readonly string[] },
): Promise<string | null> {
  const host = await findPackageHost(sandbox)
  const provider = (await findProvider(host, names)) ?? host.index.findTexLivePackage(name.toLowerCase())
  return provider === null ? null : installCommand(host, [provider])
}

function listSimilar(name: string, { packages, classes }: TexFiles): readonly string[] {
  const names = [...new Set([...packages, ...classes])]
  const lower = name.toLowerCase()
  const near = closest(name, names)
  const holding = lower.length < 3 ? [] : names.filter((each) => each.toLowerCase().includes(lower)).toSorted(byLength)
  return [...new Set([...(near === null ? [] : [near]), ...holding])].slice(0, MAX_SIMILAR)
}

function byLength(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : 1)
}
