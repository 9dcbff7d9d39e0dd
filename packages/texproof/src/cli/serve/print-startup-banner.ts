import type { CompileApp } from '@texproof/platex/server'

import { isCompileClosed } from '../../main/app.ts'
import { isLoopback } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { checkGit } from '../../git/admin/check-git.ts'
import { say } from '../say.ts'
import { readVersion } from '../../base/read-version.ts'

/** Says that the host is ready, where, and what about it deserves a second look. */
export async function greet(config: Config): Promise<void> {
  const { version } = await checkGit({ root: config.dataDir })
  const sandbox =
    config.sandbox === 'none'
      ? '! NO SANDBOX: whoever can push or compile can read and run what this user can'
      : `✓ sandbox bubblewrap: no network, read-only TeX, ${config.build.timeoutMs / 1000} s a build`
  const lines = [`✓ git ${version ?? '?'}`, sandbox, ...listCautions(config).map((caution) => `! ${caution}`)]
  const head = `Texproof ${readVersion()}   data ${config.dataDir}   ${config.baseUrl}`
  say([head, ...lines.map((line) => `  ${line}`)].join('\n'))
}

/** Compiles a small document in the background and says what TeX there is: a start does not wait for it. */
export async function tellTex(compileApp: CompileApp): Promise<void> {
  const response = await compileApp.request('/ready')
  const readiness = (await response.json()) as {
    status: string
    version?: string
    programs?: string[]
    reason?: string
    biberWorks?: boolean
  }
  if (readiness.status !== 'ready') {
    say(`  ✗ TeX: ${readiness.reason ?? 'the test document brought no PDF'} (texproof doctor tells more)`)
    return
  }
  const release = /TeX Live \d{4}/.exec(readiness.version ?? '')?.[0] ?? 'TeX'
  const programs = (readiness.programs ?? []).filter((program) => !['bibtex', 'makeindex'].includes(program))
  say(`  ✓ ${release} (${programs.join(' ')})`)
  if (readiness.biberWorks === false)
    say('  ! biber and biblatex do not understand each other: biblatex papers will fail')
}

function listCautions(config: Config): string[] {
  const { baseUrl, compileApiKey, listen } = config
  const isPublic = !isLoopback(listen.host)
  return [
    ...(isPublic && new URL(baseUrl).hostname === 'localhost'
      ? ['addresses handed out start with localhost: set --base-url']
      : []),
    ...(isPublic && baseUrl.startsWith('http:')
      ? ['no TLS: tokens travel readable; put a proxy with https in front']
      : []),
    ...(isCompileClosed(config)
      ? ['POST /compile is closed: set COMPILE_API_KEY to open it to whoever has the key']
      : []),
    ...(isPublic && compileApiKey === null && config.isCompileAnonymous ? ['POST /compile is open to everybody'] : []),
  ]
}
