/**
 * Shows the names of the chosen files beside the button of each file field, refuses folders dropped on a field for files,
 * and says what exceeds a limit before the form is sent: afterwards, its text would be lost.
 */

const MAX_NAMED = 3

for (const field of document.querySelectorAll<HTMLInputElement>('.file-field > input')) {
  const text = field.parentElement?.querySelector('[data-chosen]')
  if (!text) continue
  const nothing = text.textContent
  const show = (): void => {
    text.textContent = describeFiles([...(field.files ?? [])]) || nothing
  }
  field.addEventListener('change', () => {
    show()
    refuseExcess(field)
    field.reportValidity()
  })
  // The browser keeps the choice when the page is opened again from its history.
  addEventListener('pageshow', () => {
    show()
    refuseExcess(field)
  })
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
}

/** Also resets the other fields: their files may now fit, or a refused folder was dropped on the right field. */
function refuseExcess(field: HTMLInputElement): void {
  const fields = [...(field.form?.querySelectorAll<HTMLInputElement>('.file-field > input') ?? [])]
  for (const each of fields) each.setCustomValidity('')
  field.setCustomValidity(
    describeExcess(
      field,
      fields.flatMap(({ files }) => [...(files ?? [])]),
    ),
  )
}

/** Why the host would refuse these files; empty if it would not. */
function describeExcess({ dataset }: HTMLInputElement, files: readonly File[]): string {
  const { maxFiles = '', maxFileBytes = '', maxTotalBytes = '' } = dataset
  if (maxFiles !== '' && files.length > Number(maxFiles))
    return `You chose ${files.length} files; the limit is ${maxFiles} per upload.`
  const large = files.find(({ size }) => size > Number(maxFileBytes))
  if (large !== undefined)
    return `"${large.name}" is ${toMegabytes(large.size)}; the limit is ${toMegabytes(Number(maxFileBytes))} per file.`
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total <= Number(maxTotalBytes)) return ''
  return `The files are ${toMegabytes(total)} in total; the limit is ${toMegabytes(Number(maxTotalBytes))} per upload.`
}

/** Rounded up: a size beyond the limit must not look like the limit. */
function toMegabytes(bytes: number): string {
  return `${Math.ceil((bytes / 1024 ** 2) * 10) / 10} MB`
}

/** The name of the folder, or of the first files, and how many there are. */
function describeFiles(files: readonly File[]): string {
  const [folder = ''] = files[0]?.webkitRelativePath.split('/') ?? []
  if (folder !== '') return `${folder}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`
  const names = files.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = files.length - names.length
  return `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}
