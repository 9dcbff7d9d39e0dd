import type { Sandbox } from '../../src/sandbox/types.ts'
import type { Diagnostics } from '../../src/log/types.ts'
import type { Engine } from '../../src/base/types.ts'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEngineLog } from '../../src/log/parse-engine-log.ts'

/** `whole`: as this package runs TeX. `foreign`: broken at 79 columns, no `file:line:`, no recorder file. */
export type LogForm = 'whole' | 'foreign'

export interface RunOptions {
  readonly sandbox: Sandbox
  readonly engine: Engine
  readonly form: LogForm
  /** Engine passes; the diagnostics come from the last. @default 1 */
  readonly passes?: number
  /** Treats every file that TeX opened as a file of the user. @default false */
  readonly allFilesAreTheUsers?: boolean
}

const foreignEnvironment = { max_print_line: '79', error_line: '79', half_error_line: '50' }
const timeoutMs = 60_000
const maxLogBytes = 64 * 1024 * 1024

/** Compiles the files with a real engine and parses its log. */
export async function runDocument(files: Readonly<Record<string, string>>, options: RunOptions): Promise<Diagnostics> {
  const { sandbox, engine, form } = options
  const workspaceDir = await sandbox.createWorkspace()
  try {
    await writeFiles(workspaceDir, files)
    const isForeign = form === 'foreign'
    const style = isForeign ? '-no-file-line-error' : '-file-line-error'
    const args = ['-interaction=nonstopmode', '-recorder', '-no-shell-escape', style, 'main.tex']
    const command = { program: engine, args, env: isForeign ? foreignEnvironment : {} }
    let stdout: Uint8Array = new Uint8Array()
    for (let pass = 1; pass <= (options.passes ?? 1); pass += 1) {
      stdout = (await sandbox.run(command, { workspaceDir, timeoutMs })).stdout
    }
    const log = (await sandbox.readResult(workspaceDir, 'main.log', maxLogBytes)) ?? new Uint8Array()
    const recorder = namesIn((await sandbox.readResult(workspaceDir, 'main.fls', maxLogBytes)) ?? new Uint8Array())
    const others = options.allFilesAreTheUsers === true ? recorder.map((name): [string, string] => [name, '']) : []
    return parseEngineLog({
      engine,
      log,
      stdout,
      recordedFiles: isForeign ? null : recorder,
      workspacePath: null,
      rootFile: 'main.tex',
      sources: new Map([...others, ...Object.entries(files)]),
    })
  } finally {
    await sandbox.removeWorkspace(workspaceDir)
  }
}

async function writeFiles(workspaceDir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspaceDir, name)), { recursive: true })
    await writeFile(join(workspaceDir, name), text)
  }
}

function namesIn(recorder: Uint8Array): readonly string[] {
  const lines = new TextDecoder().decode(recorder).split('\n')
  return lines.flatMap((line) => /^(?:INPUT|OUTPUT) (.+)$/.exec(line)?.[1] ?? [])
}
