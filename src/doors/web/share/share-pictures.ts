import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { networkProfile } from '../../../contract/rules/network.ts'
import { readPublicVenue } from '../../../venues/operations/public-venue.ts'
import { type PreparedDocument, sendPrepared } from '../../prepared-document.ts'
import type { DoorDeps } from '../../run-operation.ts'
import { categoryWords, countryName, priceMark } from '../public/venue-text.ts'
import { type Picture, pictureSvg } from './picture-svg.ts'
import { renderPicture } from './render-picture.ts'
import { DOCS_PICTURE, SITE_PICTURE, venuePicturePath } from './share-paths.ts'

/** Of some 30 kB each. */
const MAX_CACHED = 200
const CACHE_CONTROL = 'public, max-age=86400'

const pages: Readonly<Record<string, Picture>> = {
  [SITE_PICTURE]: {
    title: 'Bookings your AI agent can make',
    text: networkProfile.description,
    label: 'MCP · REST · A2A',
    kind: 'network',
  },
  [DOCS_PICTURE]: {
    title: 'Documentation',
    text: 'Search venues, see what’s free and book it, from an agent, a model or your own code.',
    label: 'MCP · REST · A2A',
    kind: 'network',
  },
}

function preparedPicture(bytes: Buffer): PreparedDocument {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { type: 'image/png', plain: { bytes, etag: `"${hash}"` } }
}

/** Pictures for previews of links, drawn when they are first asked for. */
export async function sharePictures(scope: FastifyInstance, { services }: DoorDeps) {
  const drawn = new LRUCache<string, Promise<PreparedDocument>>({ max: MAX_CACHED })
  const send = async (reply: FastifyReply, picture: Picture) => {
    const svg = pictureSvg(picture)
    const known = drawn.get(svg)
    const document = known ?? renderPicture(svg).then(preparedPicture)
    if (!known) drawn.set(svg, document)
    const prepared = await document.catch((error: unknown) => {
      drawn.delete(svg)
      throw error
    })
    // Pages elsewhere show it.
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return sendPrepared(reply, prepared, CACHE_CONTROL)
  }
  for (const [path, picture] of Object.entries(pages))
    scope.get(path, async (_, reply) => send(reply, picture))

  type Route = { Params: { slug: string } }
  scope.get<Route>('/share/venues/:slug.png', async ({ params: { slug } }, reply) => {
    const { venue } = await readPublicVenue(services, slug, new Date())
    if (slug !== venue.slug) return reply.redirect(venuePicturePath(venue.slug), 308)
    const place = [...new Set([venue.area, venue.city, countryName(venue.country)])].join(', ')
    return send(reply, {
      title: venue.name,
      text: venue.description,
      label: `${categoryWords[venue.category]} · ${place} · ${priceMark(venue.price_level)}`,
      kind: venue.category,
    })
  })
}
