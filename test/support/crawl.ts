export type Crawled = { status: number; type: string; text: string; linkedFrom: string }

const decoded = (href: string) => href.replaceAll('&amp;', '&').replaceAll('&#39;', "'")

/** The addresses of this server on a page: links, forms without fields, and assets. */
export function linksOf(page: string, base: string): string[] {
  const found = [...page.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, href = '']) =>
    decoded(href),
  )
  return found
    .filter((href) => !/^(mailto|geo|data):/.test(href))
    .map((href) => new URL(href, base).href)
}

/** Crawls up to `limit` pages from a server's first page, following links that `follow` accepts. */
export async function crawl(
  url: string,
  { limit, follow }: { limit: number; follow(path: string): boolean },
): Promise<{ pages: Map<string, Crawled>; outside: string[] }> {
  const pages = new Map<string, Crawled>()
  const outside: string[] = []
  const queue = [{ address: `${url}/`, linkedFrom: '' }]
  for (let next = queue.shift(); next && pages.size < limit; next = queue.shift()) {
    const address = next.address.replace(/#.*/, '')
    if (!address.startsWith(url)) outside.push(address)
    const path = address.slice(url.length)
    if (!address.startsWith(url) || pages.has(path) || !follow(path)) continue
    const response = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
    const type = response.headers.get('content-type') ?? ''
    const text = await response.text()
    pages.set(path, { status: response.status, type, text, linkedFrom: next.linkedFrom })
    if (type.startsWith('text/html')) {
      for (const link of linksOf(text, response.url))
        queue.push({ address: link, linkedFrom: path })
    }
  }
  return { pages, outside }
}
