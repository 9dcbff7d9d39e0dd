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

/** Tests that observe processes, threads and files of the whole machine run in their own process. */
const ALONE = /^packages\/platex\/src\/(?:client|inventory|sandbox|worker)\//
const UNIT_TEST = /^packages\/[^/]+\/src\/[^/]+/
/** Hooks and changes of global state in one file would affect the tests of all files in the process. */
const NEEDS_OWN_PROCESS = /^(?:before|after|beforeEach|afterEach)\(|\bmock\.|\bprocess\.|\bglobalThis\b/m
/** Larger groups would leave processors idle at the end. */
const MAX_FILES = 12

/**
 * Runs small unit tests of one folder in one process: starting Node and compiling what they import takes longer than
 * most of them. The order of the files is kept; a group takes the place of its first file.
 */
export function groupTestFiles(files: readonly string[], folder: string): readonly TestProcess[] {
  const groups: { readonly key: string; readonly files: string[] }[] = []
  for (const file of files) {
    const key = groupOf(file)
    const open = groups.find((group) => group.key === key && group.files.length < MAX_FILES)
    if (key === null || open === undefined) groups.push({ key: key ?? file, files: [file] })
    else open.files.push(file)
  }
  return groups.map((group, at) => {
    const [first = '', ...others] = group.files
    if (others.length === 0) return { path: resolve(first), title: first }
    const path = join(folder, `group-${at}.test.mjs`)
    writeFileSync(path, group.files.map((file) => `import '${pathToFileURL(file).href}'\n`).join(''))
    return { path, title: `${group.key} (${group.files.length} files)` }
  })
}

/** The folder whose tests may share a process with this one; null = none. */
function groupOf(file: string): string | null {
  const folder = UNIT_TEST.exec(file)?.[0] ?? null
  return folder === null || ALONE.test(file) || NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')) ? null : folder
}
