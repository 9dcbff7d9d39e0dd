import { digestFiles } from './digest-files.ts'
import { keepEnds, PARSED_LOG } from '../log-excerpt.ts'
import { latin1 } from '../canonical-digest.ts'
import { viewWorkspace, type WorkspacePlace } from '../workspace-view.ts'

/** Files of a tool, workspace-relative. */
export interface ToolFiles {
  readonly place: WorkspacePlace
  readonly outputs: readonly string[]
  /** The log file of the tool. */
  readonly transcript: string
}

/** The output of one tool run. */
export interface ToolOutput {
  /** The log of the tool, shortened; empty if there is none. */
  readonly transcript: Uint8Array<ArrayBuffer>
  /** True if the log has diagnostics. */
  readonly hasComplaints: boolean
  /** Digest of all outputs. */
  readonly outputDigest: string
}

/**
 * Diagnostics of biber, BibTeX, makeindex and xindy. Lisp, in which xindy is written, complains about the host if that has no
 * translations.
 */
const COMPLAINTS =
  /(?:WARN|ERROR) - |Warning--|^(?:## Warning|!! Input|\*\* Input|(?:WARNING|ERROR)(?!: setting language to))/m

/** True if a log or printed text has diagnostics. */
export function hasComplaints(text: Uint8Array): boolean {
  return COMPLAINTS.test(latin1(text))
}

/** Reads the output of a tool in the workspace. */
export async function inspectTool({ place, outputs, transcript }: ToolFiles): Promise<ToolOutput> {
  const workspace = viewWorkspace(place)
  const ends = await workspace.readEnds(transcript, PARSED_LOG)
  const kept = ends === null ? new Uint8Array() : keepEnds(ends)
  const { digest } = await digestFiles(workspace, outputs)
  return {
    transcript: kept,
    hasComplaints: hasComplaints(kept),
    outputDigest: digest,
  }
}

/** One digest of several files, some of which may be absent. */
export async function digestOutputs({ place, outputs }: Omit<ToolFiles, 'transcript'>): Promise<string> {
  return (await digestFiles(viewWorkspace(place), outputs)).digest
}
