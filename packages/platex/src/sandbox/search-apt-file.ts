import { access } from 'node:fs/promises'

import { captureOutput } from './capture-output.ts'

const APT_FILE = '/usr/bin/apt-file'

/**
 * The package that provides a TeX file or a program, from the machine's own file lists; null without `apt-file` or its
 * lists. A search reads some 50 MB and takes seconds. A program is named `bin/NAME`.
 */
export async function searchAptFile(names: readonly string[]): Promise<string | null> {
  const isInstalled = await access(APT_FILE).then(
    () => true,
    () => false,
  )
  if (!isInstalled || names.length === 0) return null
  const paths = names.map((name) =>
    name.startsWith('bin/') ? `/usr/${escape(name)}` : `/usr/share/.*/${escape(name)}`,
  )
  const pattern = `^(${paths.join('|')})$`
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }
  // Without its lists, apt-file finds nothing.
  const found = await captureOutput(APT_FILE, ['search', '--regexp', '--', pattern], env).catch(() => '')
  return chooseAptPackage(found)
}

/** The first package of `PACKAGE: PATH` lines other than documentation, collections of TeX Live first. */
export function chooseAptPackage(output: string): string | null {
  const packages = [...output.matchAll(/^([^\s:]+): \S/gm)].map((match) => match[1] ?? '')
  const usable = packages.filter((name) => !/-(?:doc|dev)$/.test(name))
  return usable.find((name) => name.startsWith('texlive-')) ?? usable[0] ?? null
}

function escape(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
