/** Matches text that may be a URL, in time proportional to the length of the text. */
const word = /[^\s"\\]+/g

/** Removes the query from a URL, absolute or relative. */
function withoutQuery(text: string): string {
  const path = text.indexOf('/')
  const query = path < 0 ? -1 : text.indexOf('?', path)
  return query < 0 || query === text.length - 1 ? text : `${text.slice(0, query)}?…`
}

/** Removes the query from each URL in a text. */
export const hideQueries = (text: string): string => text.replaceAll(word, withoutQuery)

/** Removes the query from each URL in a value, as it may contain a receiver's secret. */
export function withoutQueries(value: unknown, name?: string): unknown {
  if (typeof value === 'string') {
    const text = hideQueries(value)
    return name?.toLowerCase() === 'location' ? text.replace(/\?(?!…).*$/s, '?…') : text
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => withoutQueries(item, name))
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutQueries(inner, key)]))
}
