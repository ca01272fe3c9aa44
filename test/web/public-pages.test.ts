import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../src/base/error-catalogue.ts'
import { type Crawled, crawl, linksOf } from '../support/crawl.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let pages: Map<string, Crawled>
let outside: string[]
const MAX_PAGES = 400

beforeAll(async () => {
  doors = await openDoors()
  const seen = new Map<string, number>()
  const follow = (path: string) => {
    // One page of each kind represents the others.
    const kind = path.startsWith('/venues?') || path.includes('date=')
    const few = kind || path.startsWith('/venues/')
    const key = path.replace(/\/venues\/[^?]*/, '/venues/').replace(/=[^&]*/g, '=')
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return !few || times <= 6
  }
  const crawled = await crawl(doors.url, { limit: MAX_PAGES, follow })
  pages = crawled.pages
  outside = crawled.outside
})
afterAll(() => doors?.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(doors.url + path, { headers, redirect: 'manual' })
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const htmlPages = () => [...pages].filter(([, { type }]) => type.startsWith('text/html'))

describe('crawling from the home page', () => {
  test('every link works', () => {
    const broken = [...pages].filter(([, { status }]) => status !== 200)
    expect(broken.map(([path, { status, linkedFrom }]) => ({ path, status, linkedFrom }))).toEqual(
      [],
    )
    expect(pages.size).toBeLessThan(MAX_PAGES)
  })

  test.each([
    '/venues',
    '/docs',
    '/docs/bookings',
    '/docs/webhooks',
    '/docs/receivers/receiver.py',
    '/errors',
    '/status',
    '/reference/',
    '/openapi.json',
    '/llms.txt',
    '/llms-full.txt',
    '/sitemap.xml',
    '/.well-known/api-catalog',
    '/.well-known/agent-card.json',
    '/venues.md',
    '/docs/bookings.md',
    '/errors.md',
  ])('%s is found', (path) => {
    expect([...pages.keys()]).toContain(path)
  })

  test('every linked anchor exists', () => {
    const missing = htmlPages().flatMap(([path, { text }]) =>
      linksOf(text, doors.url + path)
        .filter((href) => href.startsWith(doors.url) && href.includes('#'))
        .flatMap((href) => {
          const [address = '', anchor = ''] = href.split('#')
          const target = pages.get(address.slice(doors.url.length))
          const isThere = !target || target.text.includes(`id="${decodeURIComponent(anchor)}"`)
          return isThere ? [] : [`${path} → ${href}`]
        }),
    )
    expect(missing).toEqual([])
  })

  test('nothing is loaded from other sites, and no page has inline scripts or styles', () => {
    for (const [, { text }] of htmlPages()) {
      const loaded = [...text.matchAll(/<(?:img|script|iframe|source)[^>]*\ssrc="([^"]*)"/g)]
      const sheets = [...text.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)]
      for (const [, address = ''] of [...loaded, ...sheets]) expect(address).toMatch(/^\/assets\//)
      expect(text.replaceAll('<script type="application/ld+json">', '')).not.toMatch(
        /<script(?! src)|<style|<\w[^>]*\s(?:style|on\w+)=|javascript:/i,
      )
    }
    const web = outside.filter((address) => !/^tel:\+\d+$/.test(address))
    const hosts = web.map((address) => new URL(address).origin)
    expect(hosts).not.toContain('null')
  })

  test('pages are small and have a title, one h1 and a language', () => {
    for (const [path, { text }] of htmlPages()) {
      expect({ path, isLight: text.length < 100_000 }).toEqual({ path, isLight: true })
      expect(text.match(/<h1/g)).toHaveLength(1)
      expect(text).toMatch(/<title>[^<]+<\/title>/)
      expect(text).toContain('<html lang="en">')
    }
  })

  test('headings skip no level', () => {
    for (const [path, { text }] of htmlPages()) {
      const levels = [...text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
      const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)
      expect({ path, jumps }).toEqual({ path, jumps: [] })
    }
  })

  test('the header links to the API catalog', async () => {
    const link = (await get('/')).headers.get('link')
    expect(link).toContain('</.well-known/api-catalog>; rel="api-catalog"')
    expect(link).toContain('</openapi.json>; rel="service-desc"')
  })
})

describe('a page and its Markdown version', () => {
  test.each(['/docs', '/docs/webhooks', '/errors', '/venues'])(
    '%s link to each other',
    async (path) => {
      const page = await get(path, browser)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('vary')).toContain('accept')
      expect(await page.text()).toContain(
        `<link rel="alternate" href="${path}.md" type="text/markdown">`,
      )
      const twin = await get(`${path}.md`, browser)
      expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      const negotiated = await get(path, { accept: 'text/markdown, text/html;q=0.5' })
      expect(negotiated.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(await negotiated.text()).toBe(await twin.text())
    },
  )

  test('have the same headings, for a document', async () => {
    const page = await (await get('/docs/webhooks', browser)).text()
    const twin = await (await get('/docs/webhooks.md')).text()
    const prose = twin.replace(/```[\s\S]*?```/g, '')
    const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) => words)
    expect(headings.length).toBeGreaterThan(5)
    for (const words of headings) expect(page).toContain(words.replaceAll('`', '').slice(0, 12))
  })

  test('of the errors list every code', async () => {
    const twin = await (await get('/errors.md')).text()
    for (const code of Object.keys(errorCatalogue)) expect(twin).toContain(`## ${code}`)
  })

  test('of a document show links to repository-only files as text', async () => {
    const twin = await (await get('/docs/venue-connector.md')).text()
    expect(twin).toContain('the simulator was written from it')
    expect(twin).not.toContain('](../')
  })
})

describe('caching', () => {
  test.each([
    '/',
    '/venues',
    '/docs/bookings',
    '/docs/bookings.md',
    '/errors',
    '/llms.txt',
    '/sitemap.xml',
  ])('answers 304 if unchanged: %s', async (path) => {
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    const again = await get(path, { 'if-none-match': `W/${etag}, "other"` })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })
})

test.each(['/venues?area=Atlantis', '/venues/kelapa-bathhouse-ubud?date=2020-01-01'])(
  'errors of %s are not cached',
  async (path) => {
    const { status, headers } = await get(path, { ...browser, 'if-none-match': '*' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('etag')).toBeNull()
  },
)

test('public pages are rate-limited by address', async () => {
  const limited = await openDoors()
  try {
    const statuses = new Set<number>()
    for (let round = 0; round < 61; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => fetch(`${limited.url}/robots.txt`)),
      )
      for (const { status } of answers) statuses.add(status)
    }
    expect(statuses).toEqual(new Set([200, 429]))
  } finally {
    await limited.close()
  }
})

describe('an unknown address', () => {
  test.each([
    '/nowhere',
    '/docs/nowhere',
    '/docs/decisions',
    '/docs/../package.json',
    '/venues/nowhere',
  ])('is a page with links for a browser: %s', async (path) => {
    const response = await get(path, browser)
    const text = await response.text()
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('vary')).toContain('accept')
    expect(text).toContain('<a href="/venues">Find a venue</a>')
  })

  test.each([
    ['/nowhere', '*/*'],
    ['/docs/nowhere', 'application/json'],
    ['/api/nowhere', browser.accept],
    ['/a2a/v2', browser.accept],
    ['/.well-known/nowhere', browser.accept],
  ])('is a problem document for programs: %s for %s', async (path, accept) => {
    const response = await get(path, { accept })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
  })
})
