/** Whether this is a full object id: 40 or 64 lower-case hex digits. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}
