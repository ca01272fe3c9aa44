/** Markup that is safe to place in a page as it is. */
export type Html = { readonly markup: string }

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const render = (value: Html | Html[] | string | number): string => {
  if (Array.isArray(value)) return value.map(render).join('')
  if (typeof value === 'object') return value.markup
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Everything between the braces is escaped, unless it is `Html` itself. */
export function html(
  strings: TemplateStringsArray,
  ...values: (Html | Html[] | string | number)[]
): Html {
  const rest = values.map((value, index) => render(value) + (strings[index + 1] ?? ''))
  return { markup: (strings[0] ?? '') + rest.join('') }
}
