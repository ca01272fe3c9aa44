import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { type Words, wordsOf } from '../../base/languages.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { addPushChannel } from '../../notices/steps/add-push-channel.ts'
import { type Html, html } from '../page/html.ts'
import { showBare } from './bare-page.ts'

const worker = readFileSync(join(import.meta.dirname, '../elements/push-worker.js'))
const form = z.object({ subscription: z.string().max(4_000) })

/** A button with which a browser subscribes to notices. */
const pushButton = ({ say }: Words, path: string, key: string): Html => html`
<push-button data-key="${key}" data-action="${path}" data-on="${say('notices.push.on')}"
data-failed="${say('notices.push.failed')}"><button type="button" hidden
>${say('notices.push.button')}</button> <span role="status"></span></push-button>`

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
    const words = wordsOf(venue.language)
    const title = words.say('notices.push.button')
    const path = `/venue/${request.params.token}/push`
    const body = html`<h1>${venue.person.name}</h1>${pushButton(words, path, pushKey)}`
    return showBare(reply, words, venue.name, title, body, 'push-button.js')
  })

  scope.post<Link>('/venue/:token/push', async (request, reply) => {
    const { id: venueId, person } = await guards.openVenueLink(request)
    const { subscription } = parseInput(form, request.body ?? {})
    await addPushChannel(services, { venueId, personId: person?.id, subscription }, new Date())
    log.info({ request_id: request.id, person_id: person?.id }, 'a browser gets notices')
    return reply.code(204).send()
  })
}
