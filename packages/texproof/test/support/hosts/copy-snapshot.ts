/**
 * Data directories that are filled once for all test files of a run. Each file works on a copy, so that no test sees what
 * another has changed. A file that is run alone fills its own.
 */
import { constants } from 'node:fs'
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { eventually } from '../../../../platex/test/support/eventually.ts'

interface SnapshotPlan<Content> {
  /** An empty folder. */
  readonly to: string
  /** Fills an empty folder and describes what it contains, as JSON can express it. */
  readonly fill: (folder: string) => Promise<Content>
}

/** Copies the snapshot of this name, and fills it first if no test file of the run has; returns its description. */
export async function copySnapshot<Content>(name: string, { to, fill }: SnapshotPlan<Content>): Promise<Content> {
  const shared = process.env['TEST_SNAPSHOTS']
  if (shared === undefined) return fill(to)
  const folder = join(shared, name)
  const description = `${folder}.json`
  if (await isFirst(folder)) {
    await writeFile(`${description}.new`, JSON.stringify(await fill(folder)))
    await rename(`${description}.new`, description)
  }
  const text = await eventually(() => readFile(description, 'utf8').catch(() => null))
  // Relative links stay so: the sandbox does not see the snapshot.
  const options = {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    // The host links its TeX files again, which is faster than copying 180 MB.
    filter: (path: string) => path !== join(folder, 'cache/tex'),
  }
  await cp(folder, to, { ...options, mode: constants.COPYFILE_FICLONE })
  return JSON.parse(text) as Content
}

async function isFirst(folder: string): Promise<boolean> {
  return mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
}
