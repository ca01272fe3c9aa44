/** Markup that is safe to place in a page as it is. */
export type Html = { readonly markup: string }

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const render = (value: Html | readonly Html[] | string | number): string => {
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(render).join('')
}

const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

/** Everything between the braces is escaped, unless it is `Html` itself. */
export function html(
  strings: TemplateStringsArray,
  ...values: (Html | readonly Html[] | string | number)[]
): Html {
  const rest = values.map((value, index) => render(value) + (strings[index + 1] ?? ''))
  return { markup: (strings[0] ?? '') + rest.join('') }
}
