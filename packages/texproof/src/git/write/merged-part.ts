/** A stretch of the merged text: settled, or a place that both changed. Each text is whole lines, or empty. */
export type MergedPart =
  | { readonly kind: 'settled'; readonly text: string }
  | { readonly kind: 'place'; readonly mine: string; readonly theirs: string }
