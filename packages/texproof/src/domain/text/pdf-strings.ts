/** Braces with what is between them, one level deep. No two alternatives begin with the same character: linear time. */
const GROUP = String.raw`\s{0,9}\{((?:[^{}\\]|\\[^]|\{[^{}]{0,200}\}){0,300})\}`
const COMMAND = new RegExp(String.raw`\\texorpdfstring${GROUP}${GROUP}`, 'g')

/** Replaces `\texorpdfstring{…}{…}` by its second argument, which is plain text for the bookmarks of the PDF. */
export function usePdfStrings(text: string): string {
  return text.replaceAll(COMMAND, (_, _typeset: string, plain: string) => plain)
}
