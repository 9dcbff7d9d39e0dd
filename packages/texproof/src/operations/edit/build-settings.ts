/** The build settings of a commit: what `.texproof.toml` sets, and what detection chooses for the rest. */
import type { Parsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import { readSourceText } from '../../domain/text/source-text.ts'
import type { Repository } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type {
  BuildSettings,
  DocumentSettings,
  editBuildSettings,
  EditedSettings,
  readBuildSettings,
  SettingsEdit,
} from '../../papers/detect/edit-texproof-toml.ts'
import { findDocumentsOfCommit, listLatexSources } from '../../papers/detect/find-documents-of-commit.ts'
import { CONFIGURATION_FILE } from '../../papers/detect/find-documents.ts'
import type { PaperDocument } from '../../papers/detect/types.ts'
import { findFile } from './find-file.ts'

/** A document with its settings and the choices of detection. */
export interface DocumentRow {
  /** Position in the file; null = found by detection, or new. */
  readonly at: number | null
  readonly settings: DocumentSettings
  /** null = no document is built of it. */
  readonly detected: PaperDocument | null
}

/** The settings of a commit. `unreadable` = the file has to be corrected as text first. */
export type BuildSettingsOfCommit =
  | {
      readonly kind: 'read'
      /** null = the commit has no file. */
      readonly source: string | null
      readonly rows: readonly DocumentRow[]
      readonly auto: string
      readonly timeout: string
      /** Why builds do not accept the file. */
      readonly problem: string | null
      /** Files that can be the root file of a document. */
      readonly sources: readonly string[]
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

interface Tools {
  readonly git: GitStore
  readonly parsers: Parsers
}

const MAX_FILE_BYTES = 64 * 1024
/** Documents that the form can show: those that it does not show, it would remove. */
export const maxListedDocuments = 100
const MODULE = import.meta.resolve('../../papers/detect/edit-texproof-toml.ts')
const READ = defineTask<typeof readBuildSettings>(MODULE, 'readBuildSettings')
const EDIT = defineTask<typeof editBuildSettings>(MODULE, 'editBuildSettings')
const NO_SETTINGS: BuildSettings = { documents: [], auto: '', timeout: '' }

/** Finds the settings of a commit. */
export async function findBuildSettings(
  tools: Tools,
  repository: Repository,
  commitId: string,
): Promise<BuildSettingsOfCommit> {
  const { git, parsers } = tools
  const [file, found, sources] = await Promise.all([
    findFile(git, repository.id, { commitId, path: CONFIGURATION_FILE }),
    findDocumentsOfCommit(tools, repository, commitId),
    listLatexSources(tools, repository, commitId),
  ])
  if (file !== null && file.kind !== 'file' && file.kind !== 'executable')
    return { kind: 'unreadable', problem: `is a ${file.kind}` }
  const bytes = file === null ? null : await git.readBlob(repository.id, file.objectId, { maxBytes: MAX_FILE_BYTES })
  const source = bytes === null ? null : readSourceText(bytes)
  if (file !== null && source === null) return { kind: 'unreadable', problem: 'is not UTF-8 text of at most 64 kB' }
  const outcome = source === null ? null : await parsers.run(READ, source, { ownerId: repository.owner.id })
  if (outcome !== null && outcome.kind !== 'done') return { kind: 'unreadable', problem: 'takes too long to read' }
  const read = outcome?.value ?? null
  if (read?.kind === 'invalid') return { kind: 'unreadable', problem: read.problem }
  const { documents, auto, timeout } = read?.settings ?? NO_SETTINGS
  if (documents.length > maxListedDocuments)
    return { kind: 'unreadable', problem: `lists more than ${maxListedDocuments} documents` }
  const detected = found.kind === 'found' ? found.documents : []
  const rows =
    documents.length > 0
      ? documents.map((settings, at) => ({ at, settings, detected: detected[at] ?? null }))
      : detected.map((document) => ({ at: null, settings: settingsOf(document.rootFile), detected: document }))
  const problem = found.kind === 'misconfigured' ? found.message : (read?.problem ?? null)
  return { kind: 'read', source, rows, auto, timeout, problem, sources }
}

/** Writes settings into the text of the file; null if it takes too long. */
export async function writeBuildSettings(
  { parsers }: Tools,
  { owner }: Repository,
  edit: SettingsEdit,
): Promise<EditedSettings | null> {
  const outcome = await parsers.run(EDIT, edit, { ownerId: owner.id })
  return outcome.kind === 'done' ? outcome.value : null
}

/** A document whose tools are detected. */
function settingsOf(root: string): DocumentSettings {
  return { root, name: '', engine: '', bibliography: '' }
}
