/** Shows the names of the chosen files beside the button of each file field. */

const MAX_NAMED = 3

for (const field of document.querySelectorAll<HTMLInputElement>('.file-field > input')) {
  const text = field.parentElement?.querySelector('[data-chosen]')
  if (!text) continue
  const nothing = text.textContent
  const show = (): void => {
    text.textContent = describeFiles([...(field.files ?? [])]) || nothing
  }
  field.addEventListener('change', show)
  // The browser keeps the choice when the page is opened again from its history.
  addEventListener('pageshow', show)
  show()
}

/** The name of the folder, or of the first files, and how many there are. */
function describeFiles(files: readonly File[]): string {
  const [folder = ''] = files[0]?.webkitRelativePath.split('/') ?? []
  if (folder !== '') return `${folder}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`
  const names = files.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = files.length - names.length
  return `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}
