/** Markup that is safe to place in a page as it is. */
export type Html = { readonly markup: string }

type Value = Html | readonly Value[] | string | number | false | null | undefined

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(value: Value): string {
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map(render).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** The fixed parts of a template, by call site; source line breaks become spaces. */
const parts = new WeakMap<TemplateStringsArray, readonly string[]>()

function partsOf(strings: TemplateStringsArray): readonly string[] {
  const known = parts.get(strings)
  if (known) return known
  const joined = strings.map((text) => text.replaceAll(/\s*\n\s*/g, ' '))
  parts.set(strings, joined)
  return joined
}

/**
 * Markup from a template. Values are escaped unless they are `Html`; lists are joined; `false`,
 * `null` and `undefined` render nothing, so that `${isNew && html`…`}` works.
 */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html => ({
  markup: partsOf(strings)
    .map((text, index) => text + render(values[index]))
    .join(''),
})
