import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { requireGranted } from '../../doors/guards/allowance.ts'
import {
  type PreparedDocument,
  prepareDocument,
  sendPrepared,
  serveDocument,
} from '../../doors/http/prepared-document.ts'
import { createCache } from '../../platform/database/cache.ts'
import { readSitemapPage, readSitemapStarts } from '../../venues/operations/sitemap-pages.ts'
import { documentEntries } from '../docs/documents.ts'
import { referenceOperations } from '../docs/reference-operations.ts'
import { html } from '../page/html.ts'
import { sitePaths } from './site-pages.ts'

/** The limit set by sitemaps.org, shared between venues and other pages. */
const MAX_ADDRESSES = 50_000
const KEPT_FOR_PAGES = 1_000
const MAX_AGE_SECONDS = 600
/** Files are about 4 MB each, and a crawler reads them one after another. */
const MAX_CACHED_FILES = 3
/** The cache key of a sitemap that fits in one file; no venue has this slug. */
const WHOLE = ''
const XML = 'application/xml'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const documents = documentEntries.map(({ name }) => `/docs/${name}`)
const references = [...referenceOperations.keys()].map((id) => `/reference/${id}`)
const pages = [
  '/',
  '/venues',
  '/docs',
  '/reference/',
  '/errors',
  '/status',
  '/llms.txt',
  ...sitePaths,
  ...documents,
  ...references,
]

const query = z.object({ from: z.string().regex(/^[\w-]{1,100}$/) })

/** `size`: venues per file; tests use fewer. */
type SitemapDeps = Pick<DoorDeps, 'services' | 'guards' | 'publicUrl'> & { size?: number }

/** `/sitemap.xml`: every public page, in as many files as needed, named for their first venue. */
export async function sitemap(
  scope: FastifyInstance,
  { services, guards, publicUrl, size = MAX_ADDRESSES - KEPT_FOR_PAGES }: SitemapDeps,
) {
  scope.addHook('onRequest', async (request) => {
    guards.admit()
    requireGranted(await guards.limitAddress(request))
  })
  const files = createCache<PreparedDocument>({
    max: MAX_CACHED_FILES,
    ttlMs: MAX_AGE_SECONDS * 1000,
  })
  const prepare = (body: string) => prepareDocument(XML, body)
  const cached = (name: string, make: () => Promise<string>) =>
    files(services.db, `${name} ${size}`, async () => prepare(await make()))
  const send = (reply: FastifyReply, document: PreparedDocument) =>
    sendPrepared(reply, document, `public, max-age=${MAX_AGE_SECONDS}`)
  const xml = (list: string, item: string, paths: readonly string[]) => {
    const located = (path: string) => html`<loc>${publicUrl}${path}</loc>`.markup
    const items = paths.map((path) => `<${item}>${located(path)}</${item}>`)
    const head = `<?xml version="1.0" encoding="UTF-8"?>\n<${list} xmlns="${NAMESPACE}">`
    return [head, ...items, `</${list}>`, ''].join('\n')
  }
  const venuesFrom = async (first: string) => {
    const slugs = await readSitemapPage(services, first, size)
    return slugs.map((slug) => `/venues/${encodeURIComponent(slug)}`)
  }

  scope.get('/sitemap.xml', async (_, reply) => {
    const starts = await readSitemapStarts(services, size)
    if (starts.length <= 1) {
      const read = async () =>
        xml('urlset', 'url', [...pages, ...(await venuesFrom(starts[0] ?? ''))])
      return send(reply, await cached(WHOLE, read))
    }
    const parts = starts.map((slug) => `/sitemap-venues.xml?from=${slug}`)
    const index = xml('sitemapindex', 'sitemap', ['/sitemap-pages.xml', ...parts])
    return send(reply, await prepare(index))
  })

  serveDocument(scope, '/sitemap-pages.xml', XML, () => xml('urlset', 'url', pages))

  scope.get('/sitemap-venues.xml', async (request, reply) => {
    const { from } = parseInput(query, request.query)
    const starts = await readSitemapStarts(services, size)
    if (!starts.includes(from)) throw refuse('not_found', 'No sitemap file starts there.')
    const read = async () => xml('urlset', 'url', await venuesFrom(from))
    return send(reply, await cached(from, read))
  })
}
