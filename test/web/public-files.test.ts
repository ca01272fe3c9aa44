import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Guards } from '../../src/doors/guards/guards.ts'
import type { NetworkServices } from '../../src/network.ts'
import { documentEntries } from '../../src/web/docs/documents.ts'
import { sitemap } from '../../src/web/site/sitemap.ts'
import { type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { textsOf } from '../support/well-formed.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(doors.url + path, { headers })
const slugs = async (): Promise<string[]> => {
  const { rows } = await doors.db.query('select slug from venue order by slug')
  return rows.map(({ slug }: { slug: string }) => slug)
}

describe('the sitemap', () => {
  test('lists every venue and document', async () => {
    const response = await get('/sitemap.xml')
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const addresses = textsOf(await response.text(), 'loc')
    const venues = (await slugs()).map((slug) => `${PUBLIC_URL}/venues/${slug}`)
    const documents = documentEntries.map(({ name }) => `${PUBLIC_URL}/docs/${name}`)
    expect(addresses).toEqual(expect.arrayContaining([...venues, ...documents, `${PUBLIC_URL}/`]))
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('splits at the venue limit into files under an index, with each venue once', async () => {
    const app = fastify()
    const guards = {
      admit: () => {},
      limitAddress: async () => ({ granted: true }),
    } as unknown as Guards
    const services = { db: doors.db } as unknown as NetworkServices
    await app.register(sitemap, { services, guards, publicUrl: PUBLIC_URL, size: 100 })
    const read = async (path: string) => textsOf((await app.inject(path)).body, 'loc')
    const files = await read('/sitemap.xml')
    expect(files[0]).toBe(`${PUBLIC_URL}/sitemap-pages.xml`)
    const pages = await Promise.all(
      files.slice(1).map((file) => read(file.slice(PUBLIC_URL.length))),
    )
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat()).toEqual((await slugs()).map((slug) => `${PUBLIC_URL}/venues/${slug}`))
    await app.close()
  })

  test('has a file for each address listed, and no other', async () => {
    const [first = '', second = ''] = await slugs()
    const statusFrom = async (slug: string) =>
      (await get(`/sitemap-venues.xml?from=${slug}`)).status
    expect([await statusFrom(first), await statusFrom(second)]).toEqual([200, 404])
  })

  test('is named by robots.txt, which keeps crawlers out of private pages', async () => {
    const text = await (await get('/robots.txt')).text()
    expect(text).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`)
    expect(text).toContain('Disallow: /dashboard')
    expect(text).toContain('Allow: /api/agents/public\n')
    expect(text).not.toMatch(/Disallow: \/(venues|docs)/)
  })
})

describe('llms.txt', () => {
  test('follows llmstxt.org, and every link in it works', async () => {
    const text = await (await get('/llms.txt')).text()
    expect(text).toMatch(/^# .+\n\n> .+\n/)
    for (const line of text.slice(text.indexOf('\n## ')).split('\n')) {
      expect(line).toMatch(/^(|## .+|- \[[^\]]+\]\([^)]+\): .+)$/)
    }
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): .+$/gm)].map(([, href = '']) => href)
    expect(links.length).toBeGreaterThan(documentEntries.length)
    for (const href of links) {
      expect(href.startsWith(PUBLIC_URL)).toBe(true)
      expect({ href, status: (await get(href.slice(PUBLIC_URL.length))).status }).toEqual({
        href,
        status: 200,
      })
    }
  })

  test('llms-full.txt contains every document, but for those of operators', async () => {
    const text = await (await get('/llms-full.txt')).text()
    for (const { name, audience } of documentEntries) {
      const twin = await (await get(`/docs/${name}.md`)).text()
      expect(text.includes(twin)).toBe(audience !== 'operators')
    }
  })
})

describe('the API catalog', () => {
  test('is a linkset of doors with working descriptions', async () => {
    const response = await get('/.well-known/api-catalog')
    expect(response.headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    )
    const { linkset } = await jsonOf(response)
    expect(linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual([
      `${PUBLIC_URL}/api`,
      `${PUBLIC_URL}/a2a/v1`,
      `${PUBLIC_URL}/mcp`,
      `${PUBLIC_URL}/mcp/sse`,
    ])
    for (const { anchor: _, ...relations } of linkset) {
      for (const { href, type } of Object.values(relations).flat() as {
        href: string
        type: string
      }[]) {
        const target = await get(href.slice(PUBLIC_URL.length), { accept: type })
        expect(target.status).toBe(200)
        expect(target.headers.get('content-type')).toContain(type)
      }
    }
  })

  test('is linked from HEAD responses too', async () => {
    const response = await fetch(`${doors.url}/.well-known/api-catalog`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('link')).toContain('rel="api-catalog"')
  })
})
