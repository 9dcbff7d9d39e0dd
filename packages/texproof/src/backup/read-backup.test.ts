/** Files that are not backups: truncated, changed, or malicious. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'

import fc from 'fast-check'
import { packTar } from 'modern-tar'
import type { TarEntry, TarHeader } from 'modern-tar'

import { makeFolder } from '../../test/support/make-folder.ts'
import { encodeHead } from './backup-head.ts'
import { BackupError } from './backup-error.ts'
import { readBackup } from './read-backup.ts'
import { planRestore, restoreBackup } from './restore-backup.ts'

const folder = makeFolder({ after })
const head = { version: '1.0.0', migrations: ['0001-initial'], createdAt: 1_700_000_000_000 }
const contents: readonly (readonly [string, string])[] = [
  ['repositories/01/1.git/HEAD', 'ref: refs/heads/main\n'],
  ['repositories/01/1.git/packed-refs', '# pack-refs with: sorted \n'],
  ['texproof.db', 'not read here'.repeat(100)],
]
let count = 0

interface Entry {
  readonly header: TarHeader
  readonly text: string
}

function entryOf([name, text]: readonly [string, string], more: Partial<TarHeader> = {}): Entry {
  return { header: { name, size: Buffer.byteLength(text), type: 'file', ...more }, text }
}

const headEntry = (text = encodeHead(head)): Entry => entryOf(['texproof-backup.json', text])

function sumsOf(entries: readonly Entry[]): Entry {
  const lines = entries.map(
    ({ header, text }) => `${createHash('sha256').update(text).digest('hex')}  ${header.name}\n`,
  )
  return entryOf(['SHA256SUMS', lines.join('')])
}

/** Writes a tar file with these entries and returns its path. */
async function write(entries: readonly Entry[]): Promise<string> {
  const path = join(folder, `${(count += 1)}.tar`)
  writeFileSync(path, await packTar(entries.map(({ header, text }): TarEntry => ({ header, body: text }))))
  return path
}

/** A complete backup with these entries between its first and its last. */
function backupOf(entries: readonly Entry[]): Promise<string> {
  const all = [headEntry(), ...entries]
  return write([...all, sumsOf(all)])
}

const sound = contents.map((entry) => entryOf(entry))

/** Reads a backup into a separate folder; returns the files written, or the message of the refusal. */
async function read(path: string): Promise<readonly (readonly [string, string])[] | string> {
  const target = mkdtempSync(join(folder, 'target-'))
  const scratch = mkdtempSync(join(folder, 'scratch-'))
  try {
    await readBackup(path, { scratch, place: (name) => join(target, name) })
  } catch (error) {
    if (error instanceof BackupError) return error.message.replace(path, 'FILE')
    throw error
  }
  const entries = readdirSync(target, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.map((file) => [file.slice(target.length + 1), readFileSync(file, 'utf8')] as const).toSorted()
}

test('a complete backup is read as it was written', async () => {
  assert.deepEqual(await read(await backupOf(sound)), contents)
})

const strange: readonly (readonly [string, Entry])[] = [
  ['a path that leads out', entryOf(['../outside', 'x'])],
  ['a path that leads out of a repository', entryOf(['repositories/01/1.git/../../../outside', 'x'])],
  ['a path from the root', entryOf(['/tmp/outside', 'x'])],
  ['a path of another system', entryOf(['..\\outside', 'x'])],
  ['a path with a line end', entryOf(['texproof.db\n', 'x'])],
  ['a hook', entryOf(['repositories/01/1.git/hooks/post-receive', 'x'])],
  ['objects of somewhere else', entryOf(['repositories/01/1.git/objects/info/alternates', '/etc'])],
  ['a link', entryOf(['texproof.toml', ''], { type: 'symlink', linkname: '/etc/passwd' })],
  ['a hard link', entryOf(['texproof.toml', ''], { type: 'link', linkname: '/etc/passwd' })],
  ['a device', entryOf(['texproof.toml', ''], { type: 'character-device' })],
  ['a pipe', entryOf(['texproof.toml', ''], { type: 'fifo' })],
  ['a folder', entryOf(['repositories/', ''], { type: 'directory' })],
  ['a name in an extended header', entryOf(['texproof.toml', 'x'], { pax: { path: '../outside' } })],
  ['a second beginning', headEntry()],
]
for (const [what, entry] of strange)
  test(`${what} is refused, and nothing is written`, async () => {
    assert.match(
      String(await read(await backupOf([...sound, entry]))),
      /^FILE (?:contains ".*", which|is damaged after)/,
    )
  })

test('a duplicate entry is refused', async () => {
  const twice = await backupOf([...sound, ...sound.slice(0, 1)])
  assert.equal(await read(twice), 'FILE contains an entry twice, after texproof.db')
})

test('data after the list of hashes is refused', async () => {
  const all = [headEntry(), ...sound]
  assert.equal(
    await read(await write([...all, sumsOf(all), entryOf(['sealing.key', 'x'])])),
    'FILE continues after its end with "sealing.key"',
  )
})

test('an entry that was changed, omitted or added is reported by name', async () => {
  const all = [headEntry(), ...sound]
  const [first, , refs, database] = all
  if (first === undefined || refs === undefined || database === undefined) throw new Error('unreachable')
  const other = entryOf(['repositories/01/1.git/packed-refs', `# pack-refs with: sorteD \n`])
  assert.deepEqual(
    [
      await read(await write([...all.with(2, other), sumsOf(all)])),
      await read(await write([...all.toSpliced(3, 1), sumsOf(all)])),
      await read(await write([...all.toSpliced(1, 1), sumsOf(all)])),
      await read(await write([...all, entryOf(['sealing.key', 'x']), sumsOf(all)])),
    ],
    [
      'FILE is damaged: repositories/01/1.git/packed-refs has a wrong checksum',
      'FILE is damaged: "texproof.db" is missing',
      'FILE is damaged: "repositories/01/1.git/HEAD" is missing',
      'FILE is damaged: sealing.key has no checksum',
    ],
  )
})

test('a backup of a newer format or a newer database is refused before anything is unpacked', async () => {
  const form = await write([headEntry(encodeHead(head).replace('"format": 1', '"format": 2')), ...sound])
  const later = [headEntry(encodeHead({ ...head, version: '9.0.0', migrations: ['9999-later'] })), ...sound]
  const options = { dataDir: join(folder, 'none'), keep: [] }
  await assert.rejects(planRestore(form, options), { message: /from Texproof 1\.0\.0.*format 2/ })
  await assert.rejects(restoreBackup(await write([...later, sumsOf(later)]), { ...options, isReplacing: false }), {
    message: /^this backup is from Texproof 9\.0\.0; this is Texproof \S+: its database has the migration 9999-later/,
    remedy: 'Upgrade first, then restore. Nothing was changed.',
  })
  assert.deepEqual(readdirSync(options.dataDir), ['serve.lock.db'])
})

test('a file that is not a backup is distinguished from a damaged one', async () => {
  const nothing = join(folder, 'nothing.tar')
  writeFileSync(nothing, '')
  const noise = join(folder, 'noise.tar')
  writeFileSync(noise, 'x'.repeat(10_000))
  assert.deepEqual(
    [
      await read(nothing),
      await read(noise),
      await read(await write(sound)),
      await read(await write([headEntry('{}')])),
    ],
    Array.from({ length: 4 }, () => 'FILE is not a Texproof backup'),
  )
})

test('a backup that is truncated anywhere is refused', async () => {
  const bytes = readFileSync(await backupOf(sound))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1025 }), async (length) => {
      const path = join(folder, 'cut.tar')
      writeFileSync(path, bytes.subarray(0, length))
      assert.equal(typeof (await read(path)), 'string')
    }),
    { numRuns: 60 },
  )
})

test('a backup with changed bytes is refused, or its contents are unchanged', async () => {
  const bytes = readFileSync(await backupOf(sound))
  const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.uint8Array({ minLength: 1, maxLength: 24 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const path = join(folder, 'changed.tar')
      const changed = Buffer.from(bytes)
      for (const { at, to } of changes) changed.set(to.subarray(0, bytes.length - at), at)
      writeFileSync(path, changed)
      const outcome = await read(path)
      if (typeof outcome !== 'string') assert.deepEqual(outcome, contents)
    }),
    { numRuns: 150 },
  )
})

test('a file that cannot be written rejects, and the rest of the backup is not read', async () => {
  const large = Array.from({ length: 40 }, (_, index) =>
    entryOf([`repositories/01/${index + 1}.git/HEAD`, 'not read here'.repeat(10_000)]),
  )
  const path = await backupOf(large)
  const scratch = mkdtempSync(join(folder, 'scratch-'))
  const place = (name: string): string => join(scratch, name.includes('/7.git') ? 'n'.repeat(300) : name)

  const read = readBackup(path, { scratch, place, onProgress() {} })

  await assert.rejects(read, { code: 'ENAMETOOLONG' })
})

test('a refused restore does not change the data directory', async () => {
  const dataDir = join(folder, 'kept')
  await restoreBackup(await backupOf(sound), { dataDir, keep: [], isReplacing: false }).catch(() => {})
  writeFileSync(join(dataDir, 'mine.txt'), 'mine')
  const damaged = await write([headEntry(), ...sound])
  await assert.rejects(restoreBackup(damaged, { dataDir, keep: [], isReplacing: true }), { code: 'BACKUP' })
  // The lock stays: removing it could let two servers start.
  const names = readdirSync(dataDir).toSorted()
  assert.deepEqual([names, statSync(join(dataDir, 'mine.txt')).size], [['mine.txt', 'serve.lock.db'], 4])
})
