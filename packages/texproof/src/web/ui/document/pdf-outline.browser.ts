import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { PDFLinkService } from 'pdfjs-dist/web/pdf_viewer.mjs'

interface OutlineNode {
  readonly title: string
  readonly dest: string | unknown[] | null
  readonly url: string | null
  readonly items: readonly OutlineNode[]
}

const MAX_OUTLINE = 500

/** Shows the outline of a PDF; `onFollow` runs when an entry is chosen. */
export async function showOutline(links: PDFLinkService, pdf: PDFDocumentProxy, onFollow: () => void): Promise<void> {
  const nav = document.querySelector<HTMLElement>('[data-outline]')
  if (nav === null) return
  const outline = (await pdf.getOutline()) as readonly OutlineNode[] | null
  nav.hidden = outline === null || outline.length === 0
  nav.querySelector('ol')?.remove()
  if (outline !== null) nav.append(outlineList(links, outline, { left: MAX_OUTLINE, onFollow }))
}

function outlineList(
  links: PDFLinkService,
  nodes: readonly OutlineNode[],
  budget: { left: number; readonly onFollow: () => void },
): HTMLElement {
  const list = document.createElement('ol')
  for (const { title, dest, url, items } of nodes) {
    if (budget.left-- <= 0) break
    const item = document.createElement('li')
    const link = document.createElement('a')
    link.textContent = title
    // The library passes web and mail addresses only.
    if (url !== null) links.addLinkAttributes(link, url)
    else link.href = dest === null ? '#' : links.getDestinationHash(dest)
    link.addEventListener('click', (event) => {
      if (url !== null) return
      event.preventDefault()
      budget.onFollow()
      if (dest !== null) void links.goToDestination(dest)
    })
    item.append(link)
    if (items.length > 0) item.append(outlineList(links, items, budget))
    list.append(item)
  }
  return list
}
