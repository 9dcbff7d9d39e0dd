import { spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

import type { Release } from './releases.ts'

/** Folders of files that a compile may require; the rest of an archive is skipped to save memory. */
const FOLDERS = /^usr\/(?:bin|share\/(?:texlive|texmf|texmf-dist|fonts))\//

/**
 * Downloads the file list of a release, one line per file: `usr/bin/biber perl/biber`. apt fetches and verifies it with
 * separate sources and folders, so the configuration of the machine is not changed. Null without the key or address of
 * the archive.
 */
export async function downloadContents(release: Release): Promise<readonly string[] | null> {
  const mirror = findMirror(release)
  if (mirror === null || !existsSync(release.keyring)) return null
  const folder = mkdtempSync(join(tmpdir(), 'package-index-'))
  try {
    const configuration = writeConfiguration(folder, mirror, release)
    const { status } = spawnSync('apt-get', ['update', '-o', 'APT::Update::Error-Mode=any'], {
      env: { PATH: '/usr/bin:/bin', APT_CONFIG: configuration },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status !== 0) return null
    const lists = join(folder, 'lists')
    const files = readdirSync(lists).filter((name) => name.includes('_Contents-'))
    const lines = await Promise.all(files.map((name) => readLines(join(lists, name))))
    return lines.length === 0 ? null : lines.flat()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function readLines(path: string): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) {
    if (FOLDERS.test(line)) lines.push(line)
  }
  return lines
}

/** The archive that apt on this machine uses for the distribution; `PACKAGE_MIRROR` overrides it. */
function findMirror({ distribution }: Release): string | null {
  const named = process.env['PACKAGE_MIRROR']
  if (named !== undefined) return named
  const format = '$(ORIGIN) $(LABEL) $(REPO_URI)'
  const targets = spawnSync('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], {
    encoding: 'utf8',
  })
  const start = `${distribution} ${distribution} `
  const line = targets.stdout.split('\n').find((target) => target.startsWith(start))
  return line?.slice(start.length) ?? null
}

function writeConfiguration(folder: string, mirror: string, { suite, components, keyring, contents }: Release): string {
  for (const name of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, name), { recursive: true })
  const sources = join(folder, 'sources.list')
  writeFileSync(sources, `deb [signed-by=${keyring}] ${mirror} ${suite} ${components.join(' ')}\n`)
  const targets = contents.map(
    (path, index) =>
      `Contents-${index} { MetaKey "${path}"; ShortDescription "Contents"; Description "${path}"; KeepCompressed "true"; KeepCompressedAs "gz"; };`,
  )
  const configuration = join(folder, 'apt.conf')
  writeFileSync(
    configuration,
    `Dir::State::lists "${join(folder, 'lists')}";
Dir::Cache "${join(folder, 'cache')}";
Dir::Etc::sourcelist "${sources}";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb { ${targets.join(' ')} };
APT::Sandbox::User "root";
`,
  )
  return configuration
}
