import { readFileSync } from 'node:fs'
import path from 'node:path'

import { readUnlessAbsent } from '../../base/absent.ts'

/**
 * Whether a repository stores its refs in the binary reftable format, according to `extensions.refStorage` in its
 * configuration.
 */
export function usesReftable(gitDir: string): boolean {
  let section = ''
  for (const line of readConfig(gitDir).split('\n')) {
    const heading = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]
    section = heading?.toLowerCase() ?? section
    const setting = line.replace(/^\s*\[[^\]]*\]/, '')
    if (section === 'extensions' && /^\s*refstorage\s*=\s*"?reftable\b/i.test(setting)) return true
  }
  return false
}

function readConfig(gitDir: string): string {
  // Without a configuration, refs are in files, as for git.
  return readUnlessAbsent(() => readFileSync(path.join(gitDir, 'config'), 'utf8'), '')
}
