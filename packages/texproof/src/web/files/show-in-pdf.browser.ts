/** Sets the line to show in the PDF to the one chosen in the address. */
const field = document.querySelector<HTMLInputElement>('[data-line-of-hash]')

if (field !== null) {
  const follow = (): void => {
    const line = /^#L(\d+)/.exec(location.hash)?.[1]
    if (line !== undefined) field.value = line
  }
  follow()
  addEventListener('hashchange', follow)
}
