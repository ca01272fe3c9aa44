import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../../contract/operation.ts'
import { refuse } from '../../../contract/rules/errors.ts'
import { createCache } from '../../../platform/database/cache.ts'
import { readSitemapPage, readSitemapStarts } from '../../../venues/operations/sitemap-pages.ts'
import { exceeded } from '../../guards/allowance.ts'
import type { Guards } from '../../guards/guards.ts'
import { parseInput } from '../../parse-input.ts'
import { html } from '../html.ts'
import { documentEntries } from './documents.ts'
import { sendDocument } from './send-document.ts'

/** More addresses are not read from one file, says sitemaps.org; the pages that are no venues need some of them. */
const MOST_IN_A_FILE = 50_000
const KEPT_FOR_PAGES = 1_000
const MAX_AGE_SECONDS = 600
/** Files of some 4 MB that are kept, as a crawler asks for one after the other. */
const FILES_KEPT = 3
/** No slug of a venue. */
const WHOLE = ''
const XML = 'application/xml'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const pages = ['/', '/venues', '/docs', '/errors', '/status', '/llms.txt']

const query = z.object({ from: z.string().regex(/^[\w-]{1,100}$/) })

type SitemapDeps = {
  services: Services
  guards: Guards
  publicUrl: string
  /** venues of a file; less in tests */
  size?: number
}

/** `/sitemap.xml`: every page for everybody, in as many files as it takes, each named by the first venue in it. */
export async function sitemap(
  scope: FastifyInstance,
  { services, guards, publicUrl, size = MOST_IN_A_FILE - KEPT_FOR_PAGES }: SitemapDeps,
) {
  scope.addHook('onRequest', async (request) => {
    guards.admit()
    const allowance = await guards.limitAddress(request)
    if (!allowance.granted) throw exceeded(allowance)
  })
  const files = createCache<string>({ max: FILES_KEPT, ttlMs: MAX_AGE_SECONDS * 1000 })
  const cached = (name: string, make: () => Promise<string>) =>
    files(services.db, `${name} ${size}`, make)
  const documents = documentEntries.map(({ name }) => `/docs/${name}`)
  const venuePath = (slug: string) => `/venues/${encodeURIComponent(slug)}`
  const located = (path: string) => html`<loc>${publicUrl}${path}</loc>`
  const urls = (paths: readonly string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n${html`<urlset xmlns="${NAMESPACE}">${paths.map((path) => html`\n<url>${located(path)}</url>`)}\n</urlset>`.markup}\n`

  scope.get('/sitemap.xml', async (request, reply) => {
    const starts = await readSitemapStarts(services, size)
    const send = (body: string) =>
      sendDocument(request, reply, { type: XML, body }, MAX_AGE_SECONDS)
    if (starts.length <= 1) {
      const whole = async () => {
        const slugs = await readSitemapPage(services, starts[0] ?? '', size)
        return urls([...pages, ...documents, ...slugs.map(venuePath)])
      }
      return send(await cached(WHOLE, whole))
    }
    const parts = [
      '/sitemap-pages.xml',
      ...starts.map((slug) => `/sitemap-venues.xml?from=${slug}`),
    ]
    return send(
      `<?xml version="1.0" encoding="UTF-8"?>\n${html`<sitemapindex xmlns="${NAMESPACE}">${parts.map((path) => html`\n<sitemap>${located(path)}</sitemap>`)}\n</sitemapindex>`.markup}\n`,
    )
  })

  scope.get('/sitemap-pages.xml', async (request, reply) =>
    sendDocument(
      request,
      reply,
      { type: XML, body: urls([...pages, ...documents]) },
      MAX_AGE_SECONDS,
    ),
  )

  scope.get('/sitemap-venues.xml', async (request, reply) => {
    const { from } = parseInput(query, request.query)
    const starts = await readSitemapStarts(services, size)
    if (!starts.includes(from)) throw refuse('not_found', 'No file of the sitemap begins there.')
    const body = await cached(from, async () => {
      const slugs = await readSitemapPage(services, from, size)
      return urls(slugs.map(venuePath))
    })
    return sendDocument(request, reply, { type: XML, body }, MAX_AGE_SECONDS)
  })
}
