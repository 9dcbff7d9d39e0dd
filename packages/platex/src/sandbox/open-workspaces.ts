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
  /** Creates an empty workspace with room for `inputs` and for results; returns its document folder. */
  create(inputs?: WorkspaceInputs): Promise<string>
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

export function openWorkspaces(options: WorkspacesOptions): Workspaces {
  const open = new Map<string, OpenWorkspace>()
  return {
    async create(inputs = NO_INPUTS) {
      const workspace = await openWorkspace(inputs, options)
      open.set(workspace.dir, workspace)
      return workspace.dir
    },
    find: (dir) => open.get(dir) ?? onDisk(dir, NO_INPUTS),
    adopt(dir, inputs) {
      const workspace = open.get(dir)
      if (workspace !== undefined) open.set(dir, { ...workspace, inputs })
    },
    async remove(dir) {
      const workspace = open.get(dir)
      open.delete(dir)
      await closeWorkspace(workspace ?? onDisk(dir, NO_INPUTS))
    },
  }
}

async function openWorkspace(inputs: WorkspaceInputs, options: WorkspacesOptions): Promise<OpenWorkspace> {
  const { cgroup } = options
  const workspace = await openFolder(inputs, options)
  const group = cgroup === null ? null : await openCompileGroup(cgroup).catch(() => null) // The watcher steps in.
  return { ...workspace, group }
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
  return { dir, documentDir: dir, scratchDir: scratchOf(dir), inputs, bounds, folder: null, group: null }
}

async function closeWorkspace({ dir, folder, group }: OpenWorkspace): Promise<void> {
  if (folder === null) await removeWorkspace(dir)
  else folder.close()
  // After the folder: the memory of its files is charged to the group.
  await group?.close()
}
