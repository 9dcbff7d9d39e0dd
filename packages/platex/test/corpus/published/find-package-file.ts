import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'texproof-corpus')
const opened = new Map<string, Promise<string>>()

/**
 * Absolute path of a file of a Debian package. A package that is not installed is downloaded once with apt and unpacked in
 * a cache folder; nothing is installed.
 */
export async function findPackageFile(debianPackage: string, path: string): Promise<string> {
  if (await exists(`/${path}`)) return `/${path}`
  const folder = opened.get(debianPackage) ?? fetchPackage(debianPackage)
  opened.set(debianPackage, folder)
  return join(await folder, path)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function fetchPackage(debianPackage: string): Promise<string> {
  const folder = join(cacheDir, debianPackage)
  if (await exists(folder)) return folder
  await mkdir(cacheDir, { recursive: true })
  const incoming = await mkdtemp(join(cacheDir, 'incoming-'))
  try {
    console.log(`fetching ${debianPackage}`)
    await run('apt-get', ['download', '-q', debianPackage], { cwd: incoming, maxBuffer: 1 << 24 })
    const [file] = (await readdir(incoming)).filter((name) => name.endsWith('.deb'))
    if (file === undefined) throw new Error(`apt-get download brought no file for ${debianPackage}`)
    await run('dpkg-deb', ['-x', join(incoming, file), join(incoming, 'files')])
    await rename(join(incoming, 'files'), folder)
    return folder
  } finally {
    await rm(incoming, { recursive: true, force: true })
  }
}
