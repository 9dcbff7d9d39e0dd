/** Documents of the corpus that do not survive the round trip, with the reason. */
export const exceptions: ReadonlyMap<string, string> = new Map<string, string>([])
