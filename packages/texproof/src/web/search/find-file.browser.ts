/** Searches file names while the user types: the server ranks them, the page replaces its results. */

/** The list and the messages. They keep their elements, so that screen readers announce a new message. */
const RESULTS = ['.found-status', '.found-files'] as const

const field = document.getElementById('finder')
let requestNumber = 0

if (field instanceof HTMLInputElement && field.form !== null) {
  const form = field.form
  // The server rendered the list for the value the page was loaded with; the browser may have restored another one.
  let listedQuery = field.defaultValue
  let search = Promise.resolve()

  const searchFor = async (query: string): Promise<void> => {
    if (await showResults(form.action, query)) listedQuery = query
  }
  field.addEventListener('input', () => {
    // A failed search leaves the old list; pressing Enter then submits the form instead.
    search = searchFor(field.value).catch(() => {})
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    // Enter may arrive before the results of the last keystroke: only a list for the current value is opened.
    void search.then(() => {
      const first = document.querySelector<HTMLAnchorElement>('.found-files a')
      if (listedQuery === field.value && first !== null) first.click()
      else form.submit()
    })
  })
}

/** Replaces the results; false if the input has changed since, or the response has none. */
async function showResults(address: string, query: string): Promise<boolean> {
  const number = ++requestNumber
  const answer = await fetch(`${address}?${new URLSearchParams({ q: query })}`)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (number !== requestNumber || page.querySelector('.found-files') === null) return false
  for (const part of RESULTS)
    document.querySelector(part)?.replaceChildren(...(page.querySelector(part)?.childNodes ?? []))
  return true
}
