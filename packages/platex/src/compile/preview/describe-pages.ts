import { transferring } from '../../worker/serve-tasks.ts'
import { readRelativeSynctex, type SynctexData, type SynctexRequest } from '../result/read-synctex.ts'
import { viewWorkspace } from '../workspace-view.ts'
import { digestPages } from './digest-pages.ts'
import { findPageOfLine, type SourceLine } from './find-page-of-line.ts'

/** The pages of a compile, to compare with the pages of another. */
export interface PageDescription {
  /** One digest for each page, in order. */
  readonly digests: readonly string[]
  /** Page of the edited line, 1-based; null if unknown. */
  readonly editedPage: number | null
  /** The first line of the edited file on a later page, 1-based; null if unknown. */
  readonly nextPageLine: number | null
}

/** Reads the PDF and the SyncTeX data in a workspace: both at once, because unpacking the data takes longest. */
export async function describePages({
  edited,
  ...request
}: SynctexRequest & { readonly edited: SourceLine | null }): Promise<
  SynctexData & { readonly pages: PageDescription }
> {
  const workspace = viewWorkspace(request.place)
  const pdf = await workspace.read(workspace.outputPath('pdf'))
  const { bytes } = await readRelativeSynctex(request)
  const found = bytes === null || edited === null ? null : findPageOfLine(bytes, edited)
  const pages = {
    digests: pdf === null ? [] : digestPages(pdf),
    editedPage: found?.page ?? null,
    nextPageLine: found?.nextPageLine ?? null,
  }
  return transferring({ bytes, pages }, bytes === null ? [] : [bytes.buffer])
}
