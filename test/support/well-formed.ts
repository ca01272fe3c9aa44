const TOKENS = [
  /<!\[CDATA\[[\s\S]*?\]\]>/,
  /<\?[\s\S]*?\?>/,
  /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/,
  /[^<]+/,
]
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join('|'), 'gy')
const ENTITY = /&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);/gi

/** The texts of elements with this name in an XML document; throws if it is not well-formed. */
export function textsOf(xml: string, name: string): string[] {
  const open: string[] = []
  const texts: string[] = []
  let end = 0
  for (const match of xml.matchAll(TOKEN)) {
    if (match.index !== end) break
    end += match[0].length
    const [whole, closing, tag, , empty] = match
    if (!tag) {
      if (whole.replace(ENTITY, '').includes('&')) throw new Error(`a bare & in ${whole}`)
      if (open.at(-1) === name) texts.push(whole)
    } else if (closing) {
      if (open.pop() !== tag) throw new Error(`</${tag}> closes nothing`)
    } else if (!empty) open.push(tag)
  }
  if (end !== xml.length || open.length > 0) throw new Error(`not well-formed at ${end}`)
  return texts
}
