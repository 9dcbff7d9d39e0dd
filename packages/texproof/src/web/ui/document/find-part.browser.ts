/** The element of the viewer with this `data-part`. */
export function findPart<E extends HTMLElement = HTMLElement>(root: HTMLElement, name: string): E {
  const found = root.querySelector<E>(`[data-part="${name}"]`)
  if (found === null) throw new Error(`The viewer has no part "${name}".`)
  return found
}
