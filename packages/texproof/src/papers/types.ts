/** The joint of git and TeX: which documents a tree holds, their builds, their PDFs. */

/** What a pushed ref came to, told line by line while it happens. */
export interface PushedBranch {
  readonly repositoryId: number
  /** Full ref name. */
  readonly ref: string
  readonly commitId: string
}

export interface Papers {
  /** Queues a build of each document at the commit and yields the `remote:` lines; ends when built or after `maxWaitMs`. */
  buildPushedBranch(branch: PushedBranch, options: { maxWaitMs: number }): AsyncIterable<string>
  /** Newest good PDF of a ref and how it stands to the ref's head; null when there never was one. */
  findNewestPdf(repositoryId: number, ref: string, options: { document: string | null }): Promise<NewestPdf | null>
  close(): Promise<void>
}

export interface NewestPdf {
  readonly path: string
  readonly pdfId: string
  readonly commitId: string
  readonly builtAt: number
  /** Name for a reader's disk: `tides-main.pdf`. */
  readonly fileName: string
  readonly state: 'current' | 'building' | 'older'
}
