import type { Papers } from '../../papers/types.ts'

/** A package that this host lacks. */
export interface MissingPackage {
  readonly name: string
  /** The command that installs it; null if no package of that name is known. */
  readonly installCommand: string | null
}

/** Packages that are looked up: a paper loads fewer. */
const maxPackages = 60
/** Maximum number of concurrent lookups. Each runs at most one process. */
const lookupsAtOnce = 4

/** Finds the packages that the TeX installation of this host lacks. */
export async function findMissingPackages(
  { papers }: { readonly papers: Pick<Papers, 'findTexPackage'> },
  packages: readonly string[],
): Promise<readonly MissingPackage[]> {
  const missing: MissingPackage[] = []
  const looked = packages.slice(0, maxPackages)
  for (let start = 0; start < looked.length; start += lookupsAtOnce) {
    const names = looked.slice(start, start + lookupsAtOnce)
    const answers = await Promise.all(names.map((name) => papers.findTexPackage(name)))
    for (const [index, name] of names.entries()) {
      const answer = answers[index]
      if (answer?.kind === 'missing') missing.push({ name, installCommand: answer.installCommand })
    }
  }
  return missing
}
