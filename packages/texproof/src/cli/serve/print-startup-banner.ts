import type { CompileApp } from '@texproof/platex/server'

import { commandFor } from '../../config/command-line.ts'
import { isCompileClosed, isLoopback } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { say } from '../say.ts'
import { readVersion } from '../../base/read-version.ts'

/** Prints address, version of git and warnings when the server answers requests. */
export function printStartupBanner(config: Config, { gitVersion }: { readonly gitVersion: string }): void {
  const lines = [`✓ git ${gitVersion}`, ...listWarnings(config).map((warning) => `! ${warning}`)]
  const head = `Texproof ${readVersion()}   data ${config.dataDir}   ${config.baseUrl}`
  say([head, ...lines.map((line) => `  ${line}`)].join('\n'))
}

/** Prints what a sandbox that has passed its test ensures. */
export function printSandbox({ sandbox, build }: Pick<Config, 'build' | 'sandbox'>): void {
  if (sandbox === 'none') return
  say(`  ✓ bubblewrap sandbox: no network, read-only TeX, ${build.timeoutMs / 1000} s per build`)
}

/** Compiles a test document in the background and prints the TeX installation, without delaying the start. */
export async function printTex(compileApp: CompileApp, dataDir: string): Promise<void> {
  const response = await compileApp.request('/ready')
  const readiness = (await response.json()) as {
    status: string
    version?: string
    programs?: string[]
    reason?: string
    biberFailure?: { message: string } | null
  }
  if (readiness.status === 'draining') return
  const details = `Details: ${commandFor(dataDir, 'doctor')}`
  if (readiness.status !== 'ready') {
    say(`  ✗ TeX: ${readiness.reason ?? 'the test document produced no PDF'}. ${details}`)
    return
  }
  const release = /TeX Live \d{4}/.exec(readiness.version ?? '')?.[0] ?? 'TeX'
  const programs = (readiness.programs ?? []).filter((program) => !['bibtex', 'makeindex'].includes(program))
  say(`  ✓ ${release} (${programs.join(' ')})`)
  if (readiness.biberFailure) say(`  ! biber: ${readiness.biberFailure.message}. ${details}`)
}

function listWarnings(config: Config): string[] {
  const { baseUrl, compileApiKey, listen, sandbox } = config
  const isPublic = !isLoopback(listen.host)
  return [
    ...(sandbox === 'none' ? ['NO SANDBOX: everyone who can push or compile can run commands as this user'] : []),
    ...(isPublic && new URL(baseUrl).hostname === 'localhost' ? ['links start with localhost: set --base-url'] : []),
    ...(isPublic && baseUrl.startsWith('http:')
      ? ['no TLS: passwords and tokens are sent in plain text; run an HTTPS reverse proxy']
      : []),
    ...(isCompileClosed(config) ? ['POST /compile is disabled: set COMPILE_API_KEY to enable it'] : []),
    ...(isPublic && compileApiKey === null && config.isCompileAnonymous ? ['POST /compile is open to everyone'] : []),
  ]
}
