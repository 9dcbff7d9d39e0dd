import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The unit of one process: a test file, or a module that imports several. */
export interface TestProcess {
  /** Absolute path of the module to start. */
  readonly path: string
  /** Shown in the list of times. */
  readonly title: string
}

interface Group {
  /** The folder; null = the file has its own process. */
  readonly key: string | null
  readonly files: string[]
}

/** Tests that observe processes, threads and files of the whole machine, or take a minute, run in their own process. */
const ALONE =
  /^packages\/platex\/src\/(?:client|inventory|sandbox|worker)\/|^packages\/texproof\/test\/web\/(?:every-page|host-journeys|injection)\./
/** Changes of global state in one file would affect the tests of all files in the process. */
const NEEDS_OWN_PROCESS = /\bmock\.|\bprocess\.|\bglobalThis\b|\bletPushesWait\(/
/** The folders that share, and how many of their files. Larger groups would leave processors idle at the end. */
const SHARED = [
  { folder: /^packages\/[^/]+\/src\/[^/]+/, maxFiles: 12 },
  // Each of these starts a host.
  { folder: /^packages\/texproof\/test\/(?:accounts|admin|api|git|import|repository|web)\b/, maxFiles: 3 },
] as const

/**
 * Runs small tests of one folder in one process: starting Node and compiling what they import takes longer than most of
 * them. The order of the files is kept; a group takes the place of its first file. Files of `alone` have their own process.
 */
export function groupTestFiles(files: readonly string[], folder: string): readonly TestProcess[] {
  const groups: Group[] = []
  for (const file of files) {
    const shared = findShared(file)
    const open = groups.find(
      ({ key, files: { length } }) => shared !== null && key === shared.key && length < shared.maxFiles,
    )
    if (open === undefined) groups.push({ key: shared?.key ?? null, files: [file] })
    else open.files.push(file)
  }
  return groups.map(({ key, files: members }, at) => {
    const [first = '', ...others] = members
    if (others.length === 0) return { path: resolve(first), title: first }
    const path = join(folder, `group-${at}.test.mjs`)
    writeFileSync(path, members.map(importAsSuite).join(''))
    return { path, title: `${key} (${members.length} files)` }
  })
}

/** A suite of its own, so that hooks of a file run only for its tests. */
function importAsSuite(file: string, at: number): string {
  const start = at === 0 ? `import { describe } from 'node:test'\n` : ''
  return `${start}describe('${file}', () => import('${pathToFileURL(file).href}'))\n`
}

/** The folder whose tests may share a process with this one; null = none. */
function findShared(file: string): { readonly key: string; readonly maxFiles: number } | null {
  if (ALONE.test(file) || NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8'))) return null
  for (const { folder, maxFiles } of SHARED) {
    const key = folder.exec(file)?.[0]
    if (key !== undefined) return { key, maxFiles }
  }
  return null
}
