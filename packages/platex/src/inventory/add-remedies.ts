import { setImmediate } from 'node:timers/promises'
import type { Sandbox } from '../sandbox/types.ts'
import type { CompileResult, LatexError, LatexWarning, MissingPackage } from '../base/types.ts'
import { findMissingName } from './find-missing-name.ts'
import type { MissingName } from './find-missing-name.ts'
import { findPackageHost, findProvider, installCommand } from './package-host.ts'

/** Names looked up for one compile: a document can ask for any number, and each lookup takes some milliseconds. */
const MAX_LOOKUPS = 20

/**
 * Adds to diagnostics about missing files, fonts and programs the package that provides them and the command to install
 * it. The first twenty missing names are looked up.
 */
export async function addRemedies(result: CompileResult, sandbox: Pick<Sandbox, 'ask'>): Promise<CompileResult> {
  const known = new Map<string, Promise<MissingPackage | null>>()
  const find = (missing: MissingName): Promise<MissingPackage | null> => {
    const found = known.get(missing.provides)
    if (found !== undefined) return found
    if (known.size >= MAX_LOOKUPS) return Promise.resolve(null)
    const last = [...known.values()].at(-1)
    const searched = afterPause(last).then(() => findMissingPackage(missing, sandbox))
    known.set(missing.provides, searched)
    return searched
  }
  const withRemedy = async <Diagnostic extends LatexError | LatexWarning>(diagnostic: Diagnostic) => {
    const missing = isFontOfProject(diagnostic, result.errors) ? null : findMissingName(diagnostic)
    const found = missing === null ? null : await find(missing)
    return found === null ? diagnostic : { ...diagnostic, remedy: describeRemedy(found), package: found }
  }
  const [errors, warnings] = await Promise.all([
    Promise.all(result.errors.map(withRemedy)),
    Promise.all(result.warnings.map(withRemedy)),
  ])
  return { ...result, errors, warnings }
}

/**
 * Whether fontspec looked for a font in a folder of the project, as Path=… says: a package would not help. TeX shows only the
 * last line of the options, but the font that fontspec then loads has its folder in the message.
 */
function isFontOfProject({ message, ...rest }: LatexError | LatexWarning, errors: readonly LatexError[]): boolean {
  const name = /^Package fontspec Error: The font "([^"]+)" cannot be found/.exec(message)?.[1]
  if (name === undefined || rest.type === 'warning') return false
  if (/\bPath\s*=/.test(rest.context ?? '')) return true
  return errors.some((error) => error.message.includes(`/${name}.`) && error.message.includes(' not loadable'))
}

/** One lookup at a time, and requests are served in between. */
async function afterPause(last: Promise<unknown> | undefined): Promise<void> {
  await last
  await setImmediate()
}

/** The package that provides what is missing on the machine of a sandbox; null when none is known. */
async function findMissingPackage(
  { provides, names, family }: MissingName,
  sandbox: Pick<Sandbox, 'ask'>,
): Promise<MissingPackage | null> {
  const host = await findPackageHost(sandbox)
  const provider = await findProvider(host, names, family)
  if (provider === null) return null
  return { provides, ...provider, command: await installCommand(host, [provider]) }
}

function describeRemedy({ debian, texlive, command }: MissingPackage): string {
  const name = command?.startsWith('tlmgr') ? texlive : debian
  const remedy = `Install ${name ?? texlive} on the machine that compiles`
  return command === null ? `${remedy}.` : `${remedy}: ${command}`
}
