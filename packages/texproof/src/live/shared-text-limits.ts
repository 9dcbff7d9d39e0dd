/** Limits of one shared text. */
export const sharedTextLimits = {
  /** Characters of the text. */
  length: 1_100_000,
  /** Parts that Yjs stores, with those that only mark a deletion. */
  structs: 300_000,
  structsOfUpdate: 20_000,
  /** Browsers that have changed the text: every opened page counts as one. */
  clients: 10_000,
  clientsOfUpdate: 50,
  /** Position in the history of one browser. */
  clock: 2 ** 31,
  /** Changed lines that are compared; beyond, the whole middle of the text is replaced. */
  comparedLines: 2_000,
  /** Changed lines times all lines: a crafted text needs that many comparisons. */
  comparisons: 10_000_000,
} as const
