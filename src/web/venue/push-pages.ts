import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { addPushChannel } from '../../notices/steps/add-push-channel.ts'
import { link } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { type StaffView, showVenue, staffView, to } from './staff-document.ts'

const worker = readFileSync(join(import.meta.dirname, '../elements/push-worker.js'))
const form = z.object({ subscription: z.string().max(4_000) })

/** A button with which a browser subscribes to notices. */
function pushButton(view: StaffView, key: string): Html {
  const { say } = view.words
  return html`
<push-button data-key="${key}" data-action="${to(view, '/push')}"
data-on="${say('notices.push.on')}"
data-failed="${say('notices.push.failed')}"><button type="button" class="main" hidden
>${say('notices.push.button')}</button><p class="quiet">${say('notices.push.cannot')}</p>
<p role="status"></p></push-button>`
}

/** Subscriptions of browsers to notices, and the service worker that shows them. */
export function pushPages(scope: FastifyInstance, { services, guards, log }: DoorDeps): void {
  // The path of a service worker is the widest that it can serve.
  scope.get('/venue/worker.js', async (_, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(worker),
  )

  type Link = { Params: { token: string } }
  scope.get<Link>('/venue/:token/push', async (request, reply) => {
    const venue = await guards.openVenueLink(request)
    const { pushKey } = services.settings
    if (!venue.person) throw refuse('person_required')
    if (!pushKey) throw refuse('page_not_found')
    const view = staffView(request, venue, `/venue/${request.params.token}`)
    const { say } = view.words
    const title = say('notices.push.title')
    const body = html`<h1>${title}</h1>${pushButton(view, pushKey)}
<p>${link(to(view, '/people'), say('people.title'))}</p>`
    return showVenue(reply, view, title, body, 'push-button.js')
  })

  scope.post<Link>('/venue/:token/push', async (request, reply) => {
    const { id: venueId, person } = await guards.openVenueLink(request)
    const { subscription } = parseInput(form, request.body ?? {})
    await addPushChannel(services, { venueId, personId: person?.id, subscription }, new Date())
    log.info({ request_id: request.id, person_id: person?.id }, 'a browser gets notices')
    return reply.code(204).send()
  })
}
