/**
 * Characters without a glyph that change the direction of the text after them: marks, embeddings, overrides and isolates.
 * They can show a text in another order than it has, for instance code as a comment.
 */
export const directionCharacters = /[\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu
