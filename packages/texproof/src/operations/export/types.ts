import type { BibEngine, ProjectEngine } from '@texproof/platex'
import type { CompileJob, CompileOutcome, PageRequest, PdfDescription } from '@texproof/platex/project'

/** Where a package is submitted. */
export type PackTarget = 'arxiv' | 'journal'

/** Changes to the sources of a package. */
export interface PackOptions {
  /** One source file, and safe names for the files that it names. */
  readonly isFlat: boolean
  readonly withoutComments: boolean
  /** Remove to-do notes. */
  readonly withoutNotes: boolean
  /** Remove authors, affiliations and acknowledgements. */
  readonly isAnonymous: boolean
}

/** Compiles and inspects documents; where and when is the caller's decision. */
export interface PackCompiler {
  compile(job: Omit<CompileJob, 'sandbox' | 'signal'>): Promise<CompileOutcome>
  describePdf(pdf: Uint8Array): Promise<PdfDescription>
  /** The PDF of an EPS picture that a compile converted. */
  findConvertedPicture(picture: {
    readonly kind: 'eps' | 'svg'
    readonly bytes: Uint8Array
  }): Promise<Uint8Array | null>
  renderPage(request: PageRequest): Promise<Uint8Array | null>
}

/** A document and what to make of it. */
export interface PackRequest {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly rootFile: string
  readonly engine: ProjectEngine
  readonly bibliography: BibEngine
  readonly timeoutMs: number
  readonly sourceDateEpoch: number
  readonly target: PackTarget
  readonly options: PackOptions
  /** Name of the package without suffix. */
  readonly name: string
  /** User id of the owner, for fairness between users. */
  readonly ownerId: string
}

/** A result of the preflight check. `error` = the target will refuse the package, or it looks different there. */
export interface Finding {
  readonly level: 'error' | 'warning' | 'notice'
  readonly message: string
  /** Path in the repository. */
  readonly file: string | null
  readonly line: number | null
  readonly remedy: string | null
}

/** Parts that the document has and the package does not. */
export type RemovedPart = 'authors' | 'notes'

/** The comparison of the document with the document built from the package alone. */
export type Verification =
  | { readonly kind: 'same'; readonly pageCount: number }
  /** `pages` are 1-based. `removed` = what the package omits on purpose, so its pages may differ. */
  | {
      readonly kind: 'different'
      readonly pageCounts: readonly [original: number, rebuilt: number]
      readonly pages: readonly number[]
      readonly removed: readonly RemovedPart[]
    }
  | { readonly kind: 'failed'; readonly problem: string }

/** A package and what is known about it. */
export interface Package {
  readonly kind: 'packed'
  readonly fileName: string
  readonly zip: Uint8Array
  /** Files of the package, sorted. */
  readonly files: readonly string[]
  /** Files that the document does not read, sorted. */
  readonly leftOut: readonly string[]
  readonly verification: Verification
  /** The gravest first. */
  readonly findings: readonly Finding[]
}

/** A package, or why there is none. */
export type PackOutcome = Package | { readonly kind: 'refused'; readonly problem: string }
