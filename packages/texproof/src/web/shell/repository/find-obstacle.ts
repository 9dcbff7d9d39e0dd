import { html } from 'hono/html'

import type { Deps } from '../../../operations/deps.ts'
import { isInProgress } from '../../../domain/build.ts'
import type { Repository } from '../../../domain/types.ts'
import { findDocumentsOfCommit } from '../../../papers/detect/find-documents-of-commit.ts'
import type { FoundDocuments, NearDocument } from '../../../papers/detect/types.ts'
import { wrapperOf } from '../../../papers/push/describe-push.ts'
import type { Paper } from '../../../papers/types.ts'
import type { Html } from '../../ui/html.ts'
import { displayRef, type ResolvedRef } from './resolve-ref.ts'

interface PaperOfRef {
  readonly ref: ResolvedRef
  readonly paper: Paper
}

/** Why the commit of a ref cannot be built although earlier ones were; null if it was built, or can be. */
export async function findObstacle(
  deps: Pick<Deps, 'git' | 'parsers'>,
  { repository, ref, paper }: PaperOfRef & { readonly repository: Repository },
): Promise<Html | null> {
  if (!isBehind({ ref, paper })) return null
  return describeObstacle(await findDocumentsOfCommit(deps, repository, ref.commitId), ref)
}

/** Whether the branch has moved and nothing was built or queued since. */
export function isBehind({ ref, paper: { newest } }: PaperOfRef): boolean {
  return newest.commitId !== ref.commitId && !isInProgress(newest)
}

/** Why a commit cannot be built; null if it can. */
export function describeObstacle(found: FoundDocuments, ref: ResolvedRef): Html | null {
  switch (found.kind) {
    case 'misconfigured':
      return html`<code>${found.file}</code> ${found.message}`
    case 'unreadable':
      return html`Reading the LaTeX sources at ${displayRef(ref)} timed out.`
    case 'none':
      return html`No LaTeX document found at ${displayRef(ref)}. ${describeMissing(found.near)}`
    case 'found':
      return null
  }
}

/** What a tree without a document needs for one. */
function describeMissing(near: NearDocument | null): Html {
  const needs = html`document needs <code>\\documentclass</code> and <code>\\begin{document}</code>.`
  if (near === null) return html`A ${needs}`
  const { kind, path } = near
  if (kind === 'part')
    return html`<code>${path}</code> has the class <code>${near.documentClass}</code> and counts as a part of another
      document. To build it, list it in <code>.texproof.toml</code>.`
  if (kind === 'plain-tex')
    return html`<code>${path}</code> is plain TeX, and only LaTeX is compiled. Convert it to LaTeX: a ${needs}`
  if (kind === 'rnw')
    return html`<code>${path}</code> contains R code, which is not run. Run knitr on your computer, and add the
      <code>.tex</code> file and its figures.`
  const { file, line } = wrapperOf(path)
  return html`<code>${path}</code> is the source of a package. To build its manual, add <code>${file}</code> with the
    line <code>${line}</code> and list it in <code>.texproof.toml</code>.`
}
