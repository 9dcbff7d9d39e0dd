/** The line that is chosen in a file, by its number in the address, is the one to be shown in the PDF. */
const field = document.querySelector<HTMLInputElement>('[data-line-of-hash]')

if (field !== null) {
  const follow = (): void => {
    const line = /^#L(\d+)/.exec(location.hash)?.[1]
    if (line !== undefined) field.value = line
  }
  follow()
  addEventListener('hashchange', follow)
}
