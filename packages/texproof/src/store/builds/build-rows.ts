import type { LatexError, LatexWarning } from '@texproof/platex'
import type { Selectable } from 'kysely'

import type { Build, BuildRecord } from '../../domain/build.ts'
import type { BuildTable } from '../schema.ts'

/** Null for no row. */
export function orNull(row: Selectable<BuildTable> | undefined): Build | null {
  return row === undefined ? null : toBuild(row)
}

/** The columns of a list: without diagnostics and passes. */
export const recordColumns = [
  'id',
  'repository_id',
  'number',
  'ref',
  'commit_id',
  'tree_id',
  'root_file',
  'document',
  'engine',
  'bibliography',
  'reason',
  'state',
  'pdf_id',
  'page_count',
  'error_count',
  'warning_count',
  'created_at',
  'started_at',
  'finished_at',
] as const

export function toRecord(row: Pick<Selectable<BuildTable>, (typeof recordColumns)[number]>): BuildRecord {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    number: row.number,
    ref: row.ref,
    commitId: row.commit_id,
    treeId: row.tree_id,
    rootFile: row.root_file,
    document: row.document,
    engine: row.engine as Build['engine'],
    bibliography: row.bibliography as Build['bibliography'],
    reason: row.reason,
    state: row.state,
    pdfId: row.pdf_id,
    pageCount: row.page_count,
    errorCount: row.error_count,
    warningCount: row.warning_count,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}

/** Parses a row. Only `finish` writes the JSON columns. */
export function toBuild(row: Selectable<BuildTable>): Build {
  return {
    ...toRecord(row),
    ...parseDiagnostics(row.diagnostics),
    passes: JSON.parse(row.passes) as Build['passes'],
  }
}

export function parseDiagnostics(text: string): Pick<Build, 'errors' | 'warnings'> {
  const { errors, warnings } = JSON.parse(text) as {
    readonly errors: readonly Stored<LatexError>[]
    readonly warnings: readonly Stored<LatexWarning>[]
  }
  return { errors: errors.map(toProblem), warnings: warnings.map(toProblem) }
}

/** Version 0.1 stored summary and remedy as one field. */
type Stored<Problem> = Problem & {
  readonly advice?: { readonly summary: string; readonly remedy: string | null } | null
}

function toProblem<Problem extends LatexError | LatexWarning>(stored: Stored<Problem>): Problem {
  const { summary, remedy } = stored.advice ?? {}
  return {
    ...stored,
    ...(summary === undefined ? {} : { summary }),
    ...(remedy === undefined || remedy === null ? {} : { remedy }),
  }
}
