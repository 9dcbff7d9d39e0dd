/** A name that somebody else chose, for a message. */
export function showName(name: string): string {
  return JSON.stringify(name.slice(0, 200))
}
