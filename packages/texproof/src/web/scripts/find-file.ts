/** Finds while one types: the server ranks, the page takes over its list. */

const field = document.getElementById('finder')
let asked = 0

if (field instanceof HTMLInputElement && field.form !== null) {
  const address = field.form.action
  field.addEventListener('input', () => void show(address, field.value))
  field.form.addEventListener('submit', (event) => {
    const first = document.querySelector<HTMLAnchorElement>('.found-files a')
    if (first === null) return
    event.preventDefault()
    first.click()
  })
}

async function show(address: string, query: string): Promise<void> {
  const turn = ++asked
  const answer = await fetch(`${address}?${new URLSearchParams({ q: query })}`)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const list = page.querySelector('.found-files')
  // An answer that a later letter has overtaken says nothing any more.
  if (turn === asked && list !== null) document.querySelector('.found-files')?.replaceWith(list)
}
