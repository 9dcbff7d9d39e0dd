import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A static program that attacks limits, compiled from `native-helper.c`; null without a C compiler. */
export function compileNativeHelper(): Uint8Array | null {
  const folder = mkdtempSync(join(tmpdir(), 'platex-native-'))
  try {
    const source = fileURLToPath(new URL('./native-helper.c', import.meta.url))
    const program = join(folder, 'helper')
    const { status } = spawnSync('gcc', ['-static', '-O1', '-s', '-o', program, source])
    return status === 0 ? readFileSync(program) : null
  } finally {
    rmSync(folder, { recursive: true })
  }
}
