import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

import { openSandbox } from '../packages/platex/src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../packages/platex/src/sandbox/types.ts'

// The cost of the sandbox for a pass: the same program plain and confined, alternating, so that both have the same
// conditions.

const TIMEOUT_MS = 60_000
const GOAL_OVERHEAD_MS = 20
const GOAL_RATIO = 1.3

const FONTSPEC_DOCUMENT = String.raw`\documentclass{article}
\usepackage{fontspec}\setmainfont{Latin Modern Roman}
\begin{document}Text \textbf{bold} \textit{italic} \textsf{sans} \texttt{mono}.\end{document}`

interface Measured {
  readonly plainMs: number
  readonly confinedMs: number
}

/** Measures a trivial program, a pdfLaTeX pass and a LuaLaTeX pass with fontspec. */
export async function run(): Promise<void> {
  const sandbox = await openSandbox('required')
  await sandbox.prepareFonts()
  const start = await compare(sandbox, { program: 'kpsewhich', args: ['--version'], rounds: 41 })
  const pdflatex = await compare(sandbox, {
    program: 'pdflatex',
    args: ['-interaction=batchmode', 'plain.tex'],
    rounds: 15,
  })
  const lualatex = await compare(sandbox, {
    program: 'lualatex',
    args: ['-interaction=batchmode', 'fonts.tex'],
    rounds: 9,
  })
  const overheadMs = start.confinedMs - start.plainMs
  const ratio = lualatex.confinedMs / lualatex.plainMs
  print('kpsewhich --version', start)
  print('pdflatex, one page', pdflatex)
  print('lualatex, fontspec', lualatex)
  console.log(goal('sandbox-overhead-ms', overheadMs, GOAL_OVERHEAD_MS))
  console.log(goal('sandbox-lualatex-ratio', ratio, GOAL_RATIO))
  const results = { processor: cpus()[0]?.model ?? '', start, pdflatex, lualatex, overheadMs, ratio }
  await mkdir(new URL('./results/', import.meta.url), { recursive: true })
  await writeFile(new URL('./results/sandbox.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
}

async function compare(
  sandbox: Sandbox,
  what: { readonly program: string; readonly args: readonly string[]; readonly rounds: number },
): Promise<Measured> {
  const plainDir = await mkdtemp(join(tmpdir(), 'platex-bench-'))
  await writeDocuments(plainDir)
  const plain: number[] = []
  const confined: number[] = []
  // The first plain run fills the font caches; the sandbox has prebuilt ones.
  await runPlain(plainDir, what)
  for (let round = 0; round < what.rounds; round += 1) {
    plain.push(await runPlain(plainDir, what))
    confined.push(await runConfined(sandbox, what))
  }
  await rm(plainDir, { recursive: true })
  return { plainMs: median(plain), confinedMs: median(confined) }
}

function runPlain(cwd: string, { program, args }: { readonly program: string; readonly args: readonly string[] }) {
  const startedAt = performance.now()
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', TEXMFVAR: join(cwd, 'var') }
  return new Promise<number>((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', reject)
    child.once('close', () => resolve(performance.now() - startedAt))
  })
}

async function runConfined(sandbox: Sandbox, command: { readonly program: string; readonly args: readonly string[] }) {
  const workspaceDir = await sandbox.createWorkspace()
  await writeDocuments(workspaceDir)
  const startedAt = performance.now()
  await sandbox.run(command, { workspaceDir, timeoutMs: TIMEOUT_MS })
  const durationMs = performance.now() - startedAt
  await sandbox.removeWorkspace(workspaceDir)
  return durationMs
}

async function writeDocuments(folder: string): Promise<void> {
  await writeFile(join(folder, 'plain.tex'), String.raw`\documentclass{article}\begin{document}Text.\end{document}`)
  await writeFile(join(folder, 'fonts.tex'), FONTSPEC_DOCUMENT)
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}

function print(what: string, { plainMs, confinedMs }: Measured): void {
  console.log(`${what.padEnd(22)} plain ${plainMs.toFixed(1)} ms, confined ${confinedMs.toFixed(1)} ms`)
}

function goal(name: string, measured: number, wanted: number): string {
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${wanted} ${measured <= wanted ? 'met' : 'short'}`
}
