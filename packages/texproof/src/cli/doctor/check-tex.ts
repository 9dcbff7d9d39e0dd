import type { LimitEnforcement } from '@texproof/platex/project'
import { createHostCompileApp } from '../../main/app.ts'
import type { Config } from '../../config/read-config.ts'
import type { Finding } from './finding.ts'

const installTex = 'sudo apt-get install texlive-latex-recommended texlive-xetex texlive-luatex biber'
const wanted = ['pdflatex', 'xelatex', 'lualatex', 'bibtex', 'biber', 'makeindex'] as const

/** Compiles a test document in the sandbox of builds, and lists the TeX programs. */
export async function checkTex(config: Config): Promise<Finding[]> {
  const { openProjectCompiler } = await import('@texproof/platex/project')
  const compiler = await openProjectCompiler({ sandbox: 'auto' })
  const sandbox = describeSandbox(compiler.sandbox, config)
  const limits = compiler.sandbox.kind === 'none' ? [] : describeLimits(compiler.sandbox.limits, config)
  await compiler.close()
  if (!config.build.isLocal)
    return [
      sandbox,
      ...limits,
      { check: 'TeX', state: 'good', message: 'not needed: all builds run on workers', remedy: null },
    ]
  const app = createHostCompileApp(
    { ...config, sandbox: compiler.sandbox.kind === 'none' ? 'none' : config.sandbox },
    () => {},
  )
  const readiness = (await (await app.request('/ready')).json()) as Readiness
  await app.drain()
  return [sandbox, ...limits, ...describeTex(readiness)]
}

type Readiness =
  | {
      readonly status: 'ready'
      readonly programs: readonly string[]
      readonly version: string
      readonly biberFailure: { readonly message: string; readonly remedy: string | null } | null
    }
  | { readonly status: 'not-ready'; readonly reason: string }

interface OpenedSandbox {
  readonly kind: 'bubblewrap' | 'none'
  readonly weakness: { readonly reason: string; readonly remedy: string } | null
}

function describeSandbox({ weakness }: OpenedSandbox, config: Config): Finding {
  const check = 'sandbox'
  if (config.sandbox === 'none')
    return { check, state: 'weak', message: 'disabled', remedy: 'Remove sandbox = "none" from the settings.' }
  if (weakness !== null) return { check, state: 'broken', message: weakness.reason, remedy: weakness.remedy }
  return { check, state: 'good', message: 'bubblewrap: no network, read-only TeX', remedy: null }
}

/** Findings about the mechanism that enforces the disk and memory limits of a build. */
function describeLimits({ disk, memory }: LimitEnforcement, { registrationLimits }: Config): Finding[] {
  const consequence = registrationLimits === 'any' ? '' : ' Open registration is disabled.'
  const parts = [
    { check: 'disk limit', strong: 'a tmpfs of limited size for each build', weakness: disk },
    { check: 'memory limit', strong: 'a control group for each build', weakness: memory },
  ]
  return parts.map(({ check, strong, weakness }) =>
    weakness === null
      ? { check, state: 'good', message: strong, remedy: null }
      : { check, state: 'weak', message: weakness.reason + consequence, remedy: weakness.remedy },
  )
}

function describeTex(readiness: Readiness): Finding[] {
  if (readiness.status === 'not-ready')
    return [{ check: 'TeX', state: 'broken', message: readiness.reason, remedy: installTex }]
  const missing = wanted.filter((program) => !readiness.programs.includes(program))
  const release = /TeX Live \d{4}[^\s)]*/.exec(readiness.version)?.[0] ?? readiness.version
  return [
    { check: 'TeX', state: 'good', message: `${release} (${readiness.programs.join(' ')})`, remedy: null },
    ...(missing.length === 0
      ? []
      : [{ check: 'TeX', state: 'weak' as const, message: `missing: ${missing.join(', ')}`, remedy: installTex }]),
    ...(readiness.biberFailure === null
      ? []
      : [{ check: 'biber', state: 'broken' as const, ...readiness.biberFailure }]),
  ]
}
