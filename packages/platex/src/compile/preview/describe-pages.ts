import { readSynctex } from '../result/read-synctex.ts'
import { viewWorkspace, type WorkspacePlace } from '../workspace-view.ts'
import { digestPages } from './digest-pages.ts'
import { findPageOfLine, type SourceLine } from './find-page-of-line.ts'

/** The pages of a compile, to compare with those of another. */
export interface PageDescription {
  /** One digest for each page, in order. */
  readonly digests: readonly string[]
  /** Page of the edited line, 1-based; null if unknown. */
  readonly editedPage: number | null
  /** The first line of the edited file on a later page, 1-based; null if unknown. */
  readonly nextPageLine: number | null
}

/** Reads the PDF and the SyncTeX data in a workspace. */
export async function describePages({
  place,
  workingDir,
  edited,
}: {
  readonly place: WorkspacePlace
  /** As the engine saw it; null when unknown. */
  readonly workingDir: string | null
  readonly edited: SourceLine | null
}): Promise<PageDescription> {
  const workspace = viewWorkspace(place)
  const pdf = await workspace.read(workspace.outputPath('pdf'))
  const synctex = edited === null ? null : (await readSynctex({ place, workingDir })).bytes
  const found = synctex === null || edited === null ? null : findPageOfLine(synctex, edited)
  return {
    digests: pdf === null ? [] : digestPages(pdf),
    editedPage: found?.page ?? null,
    nextPageLine: found?.nextPageLine ?? null,
  }
}
