/** Shows the names of the chosen files beside the button of each file field, and refuses folders dropped on a field for files. */

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
  if (!field.webkitdirectory) refuseFolders(field)
}

/** The field treats a dropped folder as a file, and the browser then fails to send the form. */
function refuseFolders(field: HTMLInputElement): void {
  const hasFolderField = Boolean(field.form?.querySelector('[webkitdirectory]'))
  field.addEventListener('drop', (event) => {
    // Works during the event only.
    const items = [...(event.dataTransfer?.items ?? [])]
    if (!items.some((item) => item.webkitGetAsEntry()?.isDirectory === true)) return
    event.preventDefault()
    field.setCustomValidity(hasFolderField ? 'Drop folders on the field below.' : 'Drop a file, not a folder.')
    field.reportValidity()
  })
  // Also reset when the folder was then dropped on the right field.
  field.form?.addEventListener('change', () => field.setCustomValidity(''))
}

/** The name of the folder, or of the first files, and how many there are. */
function describeFiles(files: readonly File[]): string {
  const [folder = ''] = files[0]?.webkitRelativePath.split('/') ?? []
  if (folder !== '') return `${folder}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`
  const names = files.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = files.length - names.length
  return `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}
