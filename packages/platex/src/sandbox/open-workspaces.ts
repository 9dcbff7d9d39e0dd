/**
 * The workspaces of a sandbox with their limits: a bounded folder where the kernel allows one, otherwise a folder on
 * disk that is watched while programs run in it.
 */

import { openBoundedFolder, type BoundedFolder, type BoundedFolderMaker } from './bounded-folder.ts'
import { openCompileGroup, type CgroupParent, type CompileGroup } from './limits/cgroup.ts'
import { boundsOf, type FolderBounds, type WorkspaceInputs } from './limits/limits.ts'
import type { UnprivilegedOwner } from './unprivileged-owner.ts'
import { createWorkspace, documentOf, fillWorkspace, removeWorkspace, scratchOf } from './workspace.ts'

/** A workspace of the sandbox. */
export interface OpenWorkspace {
  /** Document folder as seen by this process. */
  readonly dir: string
  /** Workspaces with the same value belong to one compile, and share its memory. */
  readonly compile: string
  /** Document and scratch folder as seen by bubblewrap. */
  readonly documentDir: string
  readonly scratchDir: string
  readonly inputs: WorkspaceInputs
  readonly bounds: FolderBounds
  /** Null if the folder is on disk and must be watched. */
  readonly folder: BoundedFolder | null
  /** Null if the kernel does not limit the compile's memory, which must be watched. */
  readonly group: CompileGroup | null
}

export interface Workspaces {
  /**
   * Creates an empty workspace with room for `inputs` and for results; returns its document folder. `partOf`: another
   * workspace of the same compile.
   */
  create(inputs?: WorkspaceInputs, partOf?: string | null): Promise<string>
  /** The workspace of a document folder; one not created here has room for results only, and is watched. */
  find(dir: string): OpenWorkspace
  /** Assigns an empty workspace to a compile with these inputs. */
  adopt(dir: string, inputs: WorkspaceInputs): void
  remove(dir: string): Promise<void>
}

export interface WorkspacesOptions {
  /** Folder on disk for workspaces without a bounded folder. */
  readonly workRoot: string
  readonly owner: UnprivilegedOwner | null
  readonly maker: BoundedFolderMaker | null
  readonly cgroup: CgroupParent | null
}

const NO_INPUTS: WorkspaceInputs = { bytes: 0, entries: 0 }
/** The document folder and the scratch folder. */
const OWN_ENTRIES = 2

/** Compiles of all sandboxes of this process, because one thread watches the runs of all sandboxes. */
let compileCount = 0

export function openWorkspaces(options: WorkspacesOptions): Workspaces {
  const open = new Map<string, OpenWorkspace>()
  /** Compile → number of its workspaces, with those that are being created. */
  const counts = new Map<string, number>()
  const enter = (compile: string): void => void counts.set(compile, (counts.get(compile) ?? 0) + 1)
  const leave = async (compile: string, group: CompileGroup | null): Promise<void> => {
    const left = (counts.get(compile) ?? 1) - 1
    if (left > 0) return void counts.set(compile, left)
    counts.delete(compile)
    await group?.close()
  }
  return {
    async create(inputs = NO_INPUTS, partOf = null) {
      const other = partOf === null ? undefined : open.get(partOf)
      // Not the name of a folder, which another workspace can get while this compile runs.
      const compile = other?.compile ?? `compile ${(compileCount += 1)}`
      // Before the first pause: meanwhile the other workspace can be removed, but not the group.
      enter(compile)
      try {
        const workspace = await openFolder(inputs, options)
        const group = other === undefined ? await openGroup(options) : other.group
        open.set(workspace.dir, { ...workspace, compile, group })
        return workspace.dir
      } catch (error) {
        await leave(compile, other?.group ?? null)
        throw error
      }
    },
    find: (dir) => open.get(dir) ?? onDisk(dir, NO_INPUTS),
    adopt(dir, inputs) {
      const workspace = open.get(dir)
      if (workspace !== undefined) open.set(dir, { ...workspace, inputs })
    },
    async remove(dir) {
      const workspace = open.get(dir) ?? onDisk(dir, NO_INPUTS)
      open.delete(dir)
      await closeFolder(workspace)
      // After the folder: the memory of its files is charged to the group.
      await leave(workspace.compile, workspace.group)
    },
  }
}

async function openGroup({ cgroup }: WorkspacesOptions): Promise<CompileGroup | null> {
  return cgroup === null ? null : openCompileGroup(cgroup).catch(() => null) // The watcher steps in.
}

async function openFolder(inputs: WorkspaceInputs, options: WorkspacesOptions): Promise<OpenWorkspace> {
  const { maker, owner, workRoot } = options
  if (maker === null) return onDisk(await createWorkspace(workRoot, owner), inputs)
  const { maxBytes, maxEntries } = boundsOf(inputs)
  const folder = await openBoundedFolder(maker, { maxBytes, maxEntries: maxEntries + OWN_ENTRIES })
  try {
    const dir = await fillWorkspace(folder.path, owner)
    const documentDir = documentOf(maker.mountPoint)
    return { ...onDisk(dir, inputs), documentDir, scratchDir: scratchOf(documentDir), folder }
  } catch (error) {
    folder.close()
    throw error
  }
}

function onDisk(dir: string, inputs: WorkspaceInputs): OpenWorkspace {
  const bounds = boundsOf(inputs)
  return { dir, compile: dir, documentDir: dir, scratchDir: scratchOf(dir), inputs, bounds, folder: null, group: null }
}

async function closeFolder({ dir, folder }: OpenWorkspace): Promise<void> {
  if (folder === null) await removeWorkspace(dir)
  else folder.close()
}
