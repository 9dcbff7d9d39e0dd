/** A file or folder that moved. */
export interface Move {
  readonly path: string
  readonly newPath: string
}

/** The path after the move. */
export function movedPath(path: string, { path: from, newPath }: Move): string {
  return path === from || path.startsWith(`${from}/`) ? newPath + path.slice(from.length) : path
}
