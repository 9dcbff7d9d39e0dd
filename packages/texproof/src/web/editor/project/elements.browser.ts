/** Elements of the panels above the text. */

/** A text field in its label. */
export function input(name: string, label: string) {
  const field = make('input', { name, autocomplete: 'off', spellcheck: false, maxLength: 1_000 })
  field.autocapitalize = 'none'
  const wrapped = make('label', { textContent: label })
  wrapped.append(' ', field)
  return { field, label: wrapped }
}

/** A checkbox in its label. */
export function checkbox(name: string, label: string): HTMLElement {
  const wrapped = make('label', {})
  wrapped.append(make('input', { type: 'checkbox', name, value: '1' }), ` ${label}`)
  return wrapped
}

/** A button that does not submit the form. */
export function button(label: string, className: string): HTMLButtonElement {
  return make('button', { type: 'button', className, textContent: label })
}

/** An element with properties. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}

/** A number with its noun. */
export function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
