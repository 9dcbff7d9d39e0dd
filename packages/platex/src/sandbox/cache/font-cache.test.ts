import assert from 'node:assert/strict'
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import { captureOutput } from '../capture-output.ts'
import { CONFINED_SCRATCH } from '../confined-environment.ts'
import { openSandbox } from '../open-sandbox.ts'
import { findTexInstallation } from '../tex-installation.ts'
import { chooseOwner, chownTree } from '../unprivileged-owner.ts'
import { scratchOf } from '../workspace.ts'
import { openCacheFolder } from './cache-folder.ts'
import { prepareFontCache } from './font-cache.ts'

test('prepareFontCache() adds an installed font to the index of the last installation', async (t) => {
  const sandbox = await openSandbox('auto')
  await sandbox.prepareFonts()
  const top = await mkdtemp(join(tmpdir(), 'platex-font-cache-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  await chmod(top, 0o711)
  const earlier = join(top, 'fonts-0123456789abcdef')
  await cp(await findFontCache(), earlier, { recursive: true })
  const workRoot = join(top, 'work')
  await mkdir(workRoot)
  const dir = join(top, 'fonts-fedcba9876543210')
  await prepareFontCache({
    cache: { dir, insideDir: dir },
    workRoot,
    owner: chooseOwner(),
    run: async (command, options) => {
      const installed = await installFont(scratchOf(options.workspaceDir))
      // The last colon stands for the default folders. The cache of this machine may contain the tables of luatexja.
      const env = {
        OPENTYPEFONTS: `${CONFINED_SCRATCH}/installed:${installed}:`,
        TEXMFCACHE: `${CONFINED_SCRATCH}/texmf-var`,
      }
      return sandbox.run({ ...command, env }, options)
    },
  })
  const before = await readIndex(earlier)
  assert.deepEqual(
    [before.hasInstalled, await readIndex(dir)],
    [false, { created: before.created, hasInstalled: true }],
  )

  await t.test('prepareFontCache() stores the tables that luatexja computes', async (nested) => {
    if (!(await hasLuatexja())) return nested.skip('luatexja is missing')
    const names = await readdir(join(dir, 'texmf-var/luatexja'))
    assert.ok(names.includes('ltj-jisx0208.luc'), names.join(' '))
  })
})

test('prepareFontCache() stores nothing if the index is not finished', async (t) => {
  const sandbox = await openSandbox('auto')
  const top = await mkdtemp(join(tmpdir(), 'platex-font-cache-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  await chmod(top, 0o711)
  const workRoot = join(top, 'work')
  await mkdir(workRoot)
  const dir = join(top, 'fonts-fedcba9876543210')
  const cache = await prepareFontCache({
    cache: { dir, insideDir: dir },
    workRoot,
    owner: chooseOwner(),
    run: async (command, options) => {
      await installFont(scratchOf(options.workspaceDir))
      return sandbox.run(command, { ...options, timeoutMs: 1 })
    },
  })
  assert.deepEqual([cache, await readdir(top)], [null, ['work']])
})

test('prepareFonts() copies the index that this user has prepared in the default cache folder', async (t) => {
  const ours = await openSandbox('auto')
  await ours.prepareFonts()
  const cacheDir = await mkdtemp(join(tmpdir(), 'platex-font-cache-'))
  t.after(() => rm(cacheDir, { recursive: true, force: true }))
  await chmod(cacheDir, 0o711)
  const other = await openSandbox('auto', { cacheDir })
  await other.prepareFonts()
  const name = (await readdir(cacheDir)).find((each) => each.startsWith('fonts-')) ?? ''
  const prepared = join(await openCacheFolder(null, chooseOwner()), name)
  assert.deepEqual(await readIndex(join(cacheDir, name)), await readIndex(prepared))
})

test('close() stops the programs that index fonts, and leaves nothing of them behind', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'platex-font-cache-'))
  t.after(() => rm(top, { recursive: true, force: true }))
  await chmod(top, 0o711)
  const cacheDir = join(top, 'cache')
  const sandbox = await openSandbox('auto', { cacheDir })
  hidePreparedCaches(t, top)
  const workRoot = join(cacheDir, 'work')
  const prepared = sandbox.prepareFonts()
  // TeX creates it when it has started.
  while (!(await readdir(workRoot, { recursive: true })).some((path) => path.endsWith('fonts.log'))) await sleep(20)
  await sandbox.close()
  const caches = (await readdir(cacheDir)).filter((name) => name.startsWith('fonts-'))
  assert.deepEqual([caches, await readdir(workRoot)], [[], []])
  await prepared
})

/** Lets what is created from now on not be copied from the default cache folder of this user. */
function hidePreparedCaches(t: TestContext, folder: string): void {
  const { TMPDIR } = process.env
  t.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
  process.env['TMPDIR'] = folder
}

/** A font cache of this machine. */
async function findFontCache(): Promise<string> {
  const folder = await openCacheFolder(null, chooseOwner())
  const name = (await readdir(folder)).findLast((each) => /^fonts-(?:unconfined-)?[0-9a-f]{16}$/.test(each))
  return join(folder, name ?? '')
}

async function hasLuatexja(): Promise<boolean> {
  const { programs } = await findTexInstallation('')
  return (await captureOutput(programs.get('kpsewhich')?.path ?? '', ['luatexja.sty'], {}).catch(() => '')) !== ''
}

/** Puts a font where only this run finds it, and hides the index that the sandbox shares with new workspaces. */
async function installFont(scratchDir: string): Promise<string> {
  const folder = join(scratchDir, 'installed')
  await mkdir(join(scratchDir, 'texmf-var'), { recursive: true })
  await mkdir(folder, { recursive: true })
  await copyFile('/usr/share/texmf/fonts/opentype/public/lm/lmroman10-regular.otf', join(folder, 'installed.otf'))
  const owner = chooseOwner()
  if (owner !== null) await chownTree(scratchDir, owner)
  return folder
}

/** When the index was begun, and whether it contains the installed font. */
async function readIndex(
  cacheDir: string,
): Promise<{ readonly created: string | undefined; readonly hasInstalled: boolean }> {
  const folder = join(cacheDir, 'texmf-var/luatex-cache/generic/names')
  const file = await readFile(join(folder, 'luaotfload-names.lua.gz'))
  // luaotfload writes a name into the header, and a wrong checksum behind the compressed text.
  const text = inflateRawSync(file.subarray(file.indexOf(0, GZIP_HEADER_BYTES) + 1)).toString()
  return { created: /\["?created"?\]="([^"]+)"/.exec(text)?.[1], hasInstalled: text.includes('installed.otf') }
}

const GZIP_HEADER_BYTES = 10
