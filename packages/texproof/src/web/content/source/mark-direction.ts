import { directionCharacters } from '../../../domain/text/direction-characters.ts'

/**
 * Replaces characters that change the direction of text by their codes, in text that is escaped for HTML: otherwise a line
 * of a source can be shown in another order than it is read by programs.
 */
export function markDirection(escaped: string): string {
  return escaped.replaceAll(directionCharacters, (character) => `<mark>U+${codeOf(character)}</mark>`)
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
