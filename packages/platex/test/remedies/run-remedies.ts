/**
 * `npm run test:remedies`: diagnostics name the right packages, and documents compile after their installation, without a
 * restart of the compiler.
 *
 * Works on a copy of the machine (`scripts/in-overlay`): the packages of all cases are removed, each document is compiled
 * and must name its package, the commands of all remedies are run, and each document is compiled again. Needs root on
 * Debian or Ubuntu, the network, and some minutes.
 */
import { spawnSync } from 'node:child_process'

import { openProjectCompiler } from '../../src/api/project.ts'
import type { ProjectCompiler } from '../../src/api/project.ts'
import type { CompileResult, LatexError, LatexWarning } from '../../src/base/types.ts'
import { remedyRounds } from './cases.ts'
import type { RemedyCase } from './cases.ts'

const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }

if (process.pid !== 1) throw new Error('start this with npm run test:remedies: it removes packages')
const compiler = await openProjectCompiler({ sandbox: 'required' })
let failures = 0
for (const cases of remedyRounds) {
  const packages = [...new Set(cases.map(({ debian }) => debian))].filter(isInstalled)
  if (packages.length > 0) runShell(`apt-get remove --yes ${packages.join(' ')}`)
  const commands = await findRemedies(cases)
  const names = commands.map((command) => /^sudo apt-get install (\S+)$/.exec(command)?.[1] ?? '')
  report(!names.includes(''), 'each command installs a package', commands.join('; '))
  runShell(`apt-get install --yes --no-install-recommends ${names.join(' ')}`)
  for (const one of cases) {
    const { pdf, errors } = await compile(one, compiler)
    const isCompiled = pdf !== null && errors.length === 0
    report(isCompiled, `${one.provides}: the document compiles`, errors.map(({ message }) => message).join(' | '))
  }
}
await compiler.close()
console.log(`${remedyRounds.flat().length} cases, ${failures} failures`)
process.exitCode = failures === 0 ? 0 : 1

/** The commands that the diagnostics of all cases name. */
async function findRemedies(cases: readonly RemedyCase[]): Promise<readonly string[]> {
  const commands = new Set<string>()
  for (const one of cases) {
    const named = packagesNamed(await compile(one, compiler))
    const right = named.find(({ provides, debian }) => provides === one.provides && debian === one.debian)
    const others = named.map(({ provides, debian }) => `${provides} in ${debian}`).join(', ')
    report(right !== undefined, `${one.provides} is in ${one.debian}`, others === '' ? 'nothing named' : others)
    for (const { command } of named) if (command !== null) commands.add(command)
  }
  return [...commands]
}

async function compile(one: RemedyCase, on: ProjectCompiler): Promise<CompileResult> {
  const files = { 'main.tex': one.source, ...one.files }
  const { result } = await on.compile({
    rootFile: 'main.tex',
    files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    engine: one.engine,
    timeoutMs: 240_000,
  })
  return result
}

function packagesNamed({ errors, warnings }: CompileResult) {
  const diagnostics: readonly (LatexError | LatexWarning)[] = [...errors, ...warnings]
  return diagnostics.flatMap(({ package: missing }) => (missing === undefined ? [] : [missing]))
}

function report(isRight: boolean, what: string, otherwise: string): void {
  if (!isRight) failures += 1
  console.log(isRight ? `✓ ${what}` : `✗ ${what}: ${otherwise}`)
}

function isInstalled(name: string): boolean {
  return spawnSync('dpkg-query', ['--show', '--showformat=${db:Status-Status}', name]).stdout.toString() === 'installed'
}

function runShell(command: string): void {
  console.log(`$ ${command}`)
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`${command} failed: ${`${stdout}${stderr}`.slice(-2000)}`)
}
