/** Markup that can be inserted into a page as is. */
export type Html = { readonly markup: string }

type Value = Html | readonly Value[] | string | number | false | null | undefined

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

/** The marks before and after a text that isolate it from the surrounding text direction. */
type Isolation = readonly [before: string, after: string]
const element: Isolation = ['<bdi>', '</bdi>']
// For elements that can contain only text: the isolate characters of UAX #9, 2.4.
const characters: Isolation = ['\u2068', '\u2069']

const RIGHT_TO_LEFT =
  '[\\u0590-\\u08ff\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufb1d-\\ufdff\\ufe70-\\ufefe' +
  '\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]'
const rightToLeft = new RegExp(RIGHT_TO_LEFT, 'u')
/** Matches from the first right-to-left letter to the last, with no Latin letter in between. */
const run = new RegExp(`(${RIGHT_TO_LEFT}(?:\\P{Script=Latin}*${RIGHT_TO_LEFT})?)`, 'u')

function render(value: Value, isolation: Isolation | undefined): string {
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map((one) => render(one, isolation)).join('')
  const text = String(value)
  if (!isolation || !rightToLeft.test(text)) return escaped(text)
  const [before, after] = isolation
  const pieces = text.split(run)
  return pieces
    .map((piece, index) => (index % 2 ? before + escaped(piece) + after : escaped(piece)))
    .join('')
}

type Parts = { texts: readonly string[]; isolations: readonly (Isolation | undefined)[] }

/** The fixed parts of a template, by call site, with line breaks replaced by spaces. */
const parts = new WeakMap<TemplateStringsArray, Parts>()

function partsOf(strings: TemplateStringsArray): Parts {
  const cached = parts.get(strings)
  if (cached) return cached
  const texts = strings.map((text) => text.replaceAll(/\s*\n\s*/g, ' '))
  const isolations = texts.map((_, index) => isolationAt(texts.slice(0, index + 1).join('…')))
  const result = { texts, isolations }
  parts.set(strings, result)
  return result
}

/** How to isolate a value after this part: not at all inside a tag. */
function isolationAt(before: string): Isolation | undefined {
  const outside = before.replaceAll(/="[^"]*"/g, '').replaceAll(/<[^<>]*>/g, '')
  if (/="[^"]*$|<[^<>]*$/.test(outside)) return undefined
  return /<(?:title|option|text|tspan)\b[^<]*$/.test(before) ? characters : element
}

/**
 * Markup from a template. Values are escaped unless they are `Html`; lists are joined; `false`,
 * `null` and `undefined` render nothing, so that `${isNew && html`…`}` works. Right-to-left names
 * do not reorder the text around them.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const { texts, isolations } = partsOf(strings)
  return {
    markup: texts.map((text, index) => text + render(values[index], isolations[index])).join(''),
  }
}
