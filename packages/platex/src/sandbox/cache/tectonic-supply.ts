/**
 * Bundle and format of Tectonic, created once and read-only for every compile.
 *
 * Tectonic downloads its files as a bundle and creates its format from it, which takes seconds. A confined run has no
 * network and stores nothing. So the bundle is a flat folder of links to a TeX tree of this machine, or the configured
 * bundle, and a document of our own creates the format before the first compile.
 */
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mapFewAtOnce } from '../../base/map-few-at-once.ts'
import { prepareFolderOnce, sweepDrafts } from './cache-folder.ts'
import type { RunReport, SandboxCommand, SandboxRunOptions } from '../types.ts'
import type { UnprivilegedOwner } from '../unprivileged-owner.ts'
import { createWorkspace, removeWorkspace, scratchOf } from '../workspace.ts'

/** Source of the files. */
export type TectonicBundle =
  /** The configured bundle: absolute path of a folder or file, and a mark that changes with it. */
  | { readonly kind: 'given'; readonly path: string; readonly mark: string }
  /** TeX trees to link a bundle from; the first one wins. */
  | { readonly kind: 'trees'; readonly trees: readonly string[] }

/** Bundle and format of Tectonic for a compile. */
export interface TectonicSupply {
  /** Folder on the host with `bundle/`, unless one was given, and `cache/`. */
  readonly dir: string
  /** Path of the folder for a confined program. */
  readonly insideDir: string
  readonly bundle: TectonicBundle
  /** Path of the bundle for a confined program. */
  readonly insideBundle: string
}

const BUILD_TIMEOUT_MS = 180_000

/** Folders of a TeX tree that XeTeX reads, in search order; the first file of a name wins. */
const FOLDERS = [
  'tex/xelatex',
  'tex/latex',
  'tex/xetex',
  'tex/generic',
  'fonts/opentype',
  'fonts/truetype',
  'fonts/type1',
  'fonts/tfm',
  'fonts/vf',
  'fonts/enc',
  'fonts/map',
  'fonts/cmap',
  'fonts/sfd',
  'fonts/misc',
  'bibtex',
  'dvipdfmx',
]

const KERNEL = 'tex/latex/base/latex.ltx'
const DOCUMENT = '\\documentclass{article}\n\\begin{document}\nA\n\\end{document}\n'

/** Trees that contain LaTeX itself, with their generated companions; null without any. */
export async function findLatexTrees(trees: readonly string[]): Promise<TectonicBundle | null> {
  const roots = trees.flatMap((tree) => [tree, join(tree, 'texmf-dist')])
  const existing = await Promise.all(roots.map(async (root) => ((await isThere(join(root, 'tex'))) ? [root] : [])))
  const found = existing.flat()
  const hasKernel = await Promise.all(found.map((root) => isThere(join(root, KERNEL))))
  return hasKernel.includes(true) ? { kind: 'trees', trees: found } : null
}

/** The configured bundle; null if the path does not exist. */
export async function findGivenBundle(path: string): Promise<TectonicBundle | null> {
  const found = await stat(path).catch(() => null) // No bundle: Tectonic is not offered.
  if (found === null) return null
  const mark = createHash('sha256').update(`${path} ${found.size} ${found.mtimeMs}`).digest('hex').slice(0, 16)
  return { kind: 'given', path, mark }
}

/** Name of the folder of a supply, for an installation with this fingerprint. */
export function supplyName(bundle: TectonicBundle, fingerprint: string): string {
  return `tectonic-${fingerprint}-${bundle.kind === 'given' ? bundle.mark : 'trees'}`
}

/** Creates links and format if they are missing; null, or Tectonic's error if it cannot make a page from them. */
export async function prepareTectonicSupply(
  { dir, insideBundle, bundle }: TectonicSupply,
  maker: {
    readonly workRoot: string
    readonly owner: UnprivilegedOwner | null
    /** Starts a program with the folder of links visible as `bundleDir`. */
    readonly run: (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>
  },
): Promise<string | null> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o755 })
    await sweepDrafts(dir)
    if (bundle.kind === 'trees') await prepareFolderOnce(join(dir, 'bundle'), (draft) => linkFiles(bundle.trees, draft))
    await prepareFolderOnce(join(dir, 'cache'), (draft) => makeFormat(insideBundle, draft, maker))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Links every file of the trees by its name. The links go through one short link per tree, because file systems store a
 * target of up to 59 bytes in the inode and give a longer one a block: half a gigabyte for a whole TeX Live.
 */
async function linkFiles(trees: readonly string[], draft: string): Promise<void> {
  const targets = new Map<string, string>()
  for (const folder of FOLDERS) {
    for (const [index, tree] of trees.entries())
      await collectFiles(tree, folder, (name, path) => {
        if (!targets.has(name)) targets.set(name, `:${index}/${path}`)
      })
  }
  for (const [index, tree] of trees.entries()) await symlink(tree, join(draft, `:${index}`))
  // One by one and all at once both take twice as long.
  await mapFewAtOnce([...targets], 16, ([name, target]) => symlink(target, join(draft, name)))
  const digest = createHash('sha256')
    .update([...trees, ...targets.values()].join('\n'))
    .digest('hex')
  // Tectonic uses this as the bundle's identity, and stores its formats under it.
  await writeFile(join(draft, 'SHA256SUM'), digest)
  await writeFile(join(draft, 'tectonic-format-latex.tex'), '\\input latex.ltx\n')
}

/** Reports name and path below `tree` of every file in a folder of it. */
async function collectFiles(tree: string, folder: string, take: (name: string, path: string) => void): Promise<void> {
  const entries = await readdir(join(tree, folder), { withFileTypes: true }).catch(() => []) // Not in this tree.
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) await collectFiles(tree, path, take)
    else take(entry.name, path)
  }
}

async function makeFormat(
  bundle: string,
  draft: string,
  { workRoot, owner, run }: Parameters<typeof prepareTectonicSupply>[1],
): Promise<void> {
  const workspaceDir = await createWorkspace(workRoot, owner)
  try {
    await writeFile(join(workspaceDir, 'format.tex'), DOCUMENT)
    const command = { program: 'tectonic', args: ['--bundle', bundle, '--untrusted', 'format.tex'] }
    const { end, stderr } = await run(command, { workspaceDir, timeoutMs: BUILD_TIMEOUT_MS })
    if (end.kind !== 'exited' || end.exitCode !== 0) {
      throw new Error(
        new TextDecoder().decode(stderr).trim() || 'error: Tectonic cannot create a format from its bundle',
      )
    }
    await cp(join(scratchOf(workspaceDir), 'tectonic'), draft, { recursive: true })
    await makeReadable(draft)
  } finally {
    await removeWorkspace(workspaceDir)
  }
}

/** Tectonic makes its format private; here every user may read it and none may write. */
async function makeReadable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o444)
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
