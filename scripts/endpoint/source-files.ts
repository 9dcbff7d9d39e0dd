/** The route table, from the root of the checkout. */
export const routesFile = 'packages/texproof/src/api/routes.ts'

/** The matrix of what exists. */
export const matrixFile = 'packages/texproof/src/compat/matrix.ts'

/** Where the handlers are, one file a route with its test beside it. */
export const handlersFolder = 'packages/texproof/src/api/handlers'

/** File name of a handler without its ending: `listBranches` is in `list-branches`. */
export function handlerFile(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
