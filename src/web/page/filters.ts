import { choice, field, filterForm, hidden } from './components.ts'
import { withQuery } from './forms.ts'
import { type Html, html } from './html.ts'

/** A filter of a list: a select if it has options, otherwise a text field. */
export type Filter = {
  label: string
  name: string
  options?: Readonly<Record<string, string>>
  type?: 'text' | 'date' | 'datetime-local'
  placeholder?: string
  min?: string | undefined
  max?: string
  /** how the value in the address is shown */
  value?: string
  /** whether it has no field, because its value comes from a link */
  isHidden?: boolean
  /** why the value was refused */
  error?: string | undefined
}

type Values = Readonly<Record<string, string | undefined>>

/** The filters of a list, with a chip for each active filter that removes it. */
export function listFilters(path: string, values: Values, filters: readonly Filter[]): Html {
  const active = filters.filter(({ name }) => values[name])
  const chip = ({ label, name, options, value: text }: Filter) => {
    const value = text ?? values[name] ?? ''
    const words = `${label}: ${options?.[value] ?? value.replace('T', ' ')}`
    return html`<li><a href="${withQuery(path, { ...values, [name]: undefined })}"
aria-label="Remove the filter ${words}">${words}</a></li>`
  }
  return html`
${filterForm(
  path,
  filters.map((filter) => control(filter, filter.value ?? values[filter.name])),
  filters.some(({ error }) => error !== undefined),
)}
${
  active.length > 0 &&
  html`<ul class="chips" aria-label="Active filters">${active.map(chip)}${
    active.length > 1 && html`<li><a href="${path}">Clear all</a></li>`
  }</ul>`
}`
}

function control(filter: Filter, value: string | undefined): Html {
  const { label, name, options, type = 'text', placeholder, min, max, error } = filter
  if (filter.isHidden) return hidden(name, value ?? '')
  if (options) return choice(label, name, options, value)
  const limits = { ...(placeholder && { placeholder }), ...(min && { min }), ...(max && { max }) }
  return field(label, { name, type, value, error, ...limits })
}
