import { readFile } from 'node:fs/promises'

import { ENGINE_NAMES } from '../base/names.ts'
import type { Sandbox } from '../sandbox/types.ts'
import { listTexFiles } from './list-tex-files.ts'
import { readPackageVersion } from './read-package-version.ts'
import { findPackageHost, findProvider, installCommand } from './package-host.ts'
import type { BiblatexPair, TexProgram, TexInventory } from './types.ts'

/** Programs that documents request by their engine or packages, best known first. */
const PROGRAMS = [...ENGINE_NAMES, 'bibtex', 'biber', 'makeindex'] as const

/** Programs that papers commonly require; Tectonic replaces TeX Live if there is none. */
const EXPECTED: readonly string[] = ['pdflatex', 'xelatex', 'lualatex', 'bibtex', 'biber', 'makeindex']

/** Reads the versions of programs and counts packages and fonts. */
export async function readInventory(sandbox: Pick<Sandbox, 'ask' | 'has'>): Promise<TexInventory> {
  const [banners, files, biblatex] = await Promise.all([
    Promise.all(PROGRAMS.map((name) => readBanner(sandbox, name))),
    listTexFiles(sandbox),
    readBiblatexVersion(sandbox),
  ])
  const programs = banners.flatMap((banner): TexProgram[] => (banner === null ? [] : [banner]))
  const missingPrograms = EXPECTED.filter((name) => !sandbox.has(name))
  const release = findRelease(await sandbox.ask('pdftex', ['--version']))
  return {
    release,
    programs,
    missingPrograms,
    installCommand: await suggestPrograms(missingPrograms, sandbox),
    biblatex: pairOf(programs, biblatex),
    packageCount: files.packages.size,
    classCount: files.classes.size,
    fontCount: files.fonts.size,
  }
}

/** The command that installs missing programs; null if none is missing or no package has them. */
async function suggestPrograms(missing: readonly string[], sandbox: Pick<Sandbox, 'ask'>): Promise<string | null> {
  if (missing.length === 0) return null
  const host = await findPackageHost(sandbox)
  const providers = await Promise.all(missing.map((name) => findProvider(host, [`bin/${name}`])))
  return installCommand(
    host,
    providers.filter((provider) => provider !== null),
  )
}

/** `TeX Live 2022/Debian` in the version output of a program. */
function findRelease(banner: string | null): string | null {
  return /\((TeX Live [^)]+)\)/.exec(banner ?? '')?.[1] ?? null
}

async function readBanner(sandbox: Pick<Sandbox, 'ask' | 'has'>, name: string): Promise<TexProgram | null> {
  if (!sandbox.has(name)) return null
  // MakeIndex has no option for its version, and would wait for standard input.
  if (name === 'makeindex') return { name, version: null }
  const line = (await sandbox.ask(name, ['--version']))?.split('\n', 1)[0] ?? ''
  return { name, version: readVersion(line) }
}

/** `1.40.24` of `pdfTeX 3.141592653-2.6-1.40.24 (TeX Live …)`, `0.999994` of XeTeX, the only number of the others. */
function readVersion(line: string): string | null {
  const number = /(\d[\w.-]*)/.exec(line.replace(/\(.*\)/, ''))?.[1]
  return number?.split('-').at(-1) ?? null
}

async function readBiblatexVersion(sandbox: Pick<Sandbox, 'ask'>): Promise<string | null> {
  const path = (await sandbox.ask('kpsewhich', ['biblatex.sty']))?.trim() ?? ''
  if (!path.startsWith('/')) return null
  return (
    // An unreadable file has no version.
    readPackageVersion(await readFile(path, 'utf8').catch(() => ''))
      ?.split(' ')
      .at(-1) ?? null
  )
}

/** Since biblatex 3.8, the second numbers of the two versions are equal. */
function pairOf(programs: readonly TexProgram[], biblatex: string | null): BiblatexPair | null {
  const biber = programs.find(({ name }) => name === 'biber')?.version ?? null
  if (biber === null || biblatex === null) return null
  const step = (version: string): string | undefined => /^\d+\.(\d+)/.exec(version)?.[1]
  return { biber, biblatex, isMatched: step(biber) === step(biblatex) }
}
