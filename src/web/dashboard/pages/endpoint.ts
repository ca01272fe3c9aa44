import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { deleteEndpoint } from '../../../webhooks/operations/delete-endpoint.ts'
import { deliveryStats } from '../../../webhooks/operations/delivery-stats.ts'
import { disableEndpoint, pauseEndpoint } from '../../../webhooks/operations/hold-endpoint.ts'
import { listDeliveries } from '../../../webhooks/operations/read-deliveries.ts'
import { getEndpoint } from '../../../webhooks/operations/read-endpoints.ts'
import { listReplays } from '../../../webhooks/operations/read-replays.ts'
import { enableEndpoint, resumeEndpoint } from '../../../webhooks/operations/reopen-endpoint.ts'
import { retryDeliveries } from '../../../webhooks/operations/retry-deliveries.ts'
import { testEndpoint } from '../../../webhooks/operations/test-endpoint.ts'
import { updateEndpoint } from '../../../webhooks/operations/update-endpoint.ts'
import { verifyEndpoint } from '../../../webhooks/operations/verify-endpoint.ts'
import { shortUrl } from '../../../webhooks/rules/short-url.ts'
import type { Endpoint } from '../../../webhooks/schema/endpoints.ts'
import { confirmForm, link } from '../../page/components.ts'
import { doneNotice, paramsOf, textFields, tryForm } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { attemptWords } from '../delivery-table.ts'
import { askFirst, type Page, redirectDone, showPage } from '../page.ts'
import { linksFor, temporalLinks } from '../temporal-links.ts'
import { endpointForm, endpointInput, type RefusedEndpoint } from './endpoint-fields.ts'
import {
  deliveriesTab,
  type EndpointTab,
  endpointFrame,
  endpointTabs,
  overviewTab,
  replaysTab,
  secretsTab,
  settingsTab,
} from './endpoint-view.ts'
import notices from './notices.json' with { type: 'json' }

const PATH = '/dashboard/webhooks/:id'
const LATEST = 20

/** The tab that the address names. */
function tabOf({ query }: FastifyRequest): EndpointTab {
  const { tab } = textFields(query, ['tab'])
  return tab && Object.hasOwn(endpointTabs, tab) ? (tab as EndpointTab) : 'overview'
}

/** `/dashboard/webhooks/{id}`: an endpoint's state, its latest deliveries, and its forms. */
export const endpoint: Page = async (scope, { call, config }) => {
  const links = temporalLinks(config)

  /** The content of a tab; reads only the data for that tab. */
  async function contentOf(
    request: FastifyRequest,
    endpoint: Endpoint,
    tab: EndpointTab,
    draft: RefusedEndpoint | undefined,
  ): Promise<Html> {
    const { id } = endpoint
    switch (tab) {
      case 'overview': {
        const { spans } = await call(request, deliveryStats, { endpoint: id })
        return overviewTab({ endpoint, spans, workflow: linksFor(links, request)?.endpoint(id) })
      }
      case 'deliveries': {
        const latest = await call(request, listDeliveries, { endpoint: id, limit: LATEST })
        return deliveriesTab(endpoint, latest.deliveries)
      }
      case 'replays':
        return replaysTab(
          endpoint,
          (await call(request, listReplays, { id, limit: LATEST })).replays,
        )
      case 'secrets':
        return secretsTab(endpoint)
      case 'settings':
        return settingsTab(endpoint, draft)
    }
  }

  type Extras = { notice?: Html; draft?: RefusedEndpoint }
  async function show(reply: FastifyReply, { notice, draft }: Extras = {}) {
    const { request } = reply
    const { id } = paramsOf(request)
    const { endpoint } = await call(request, getEndpoint, { id })
    const tab = draft ? 'settings' : tabOf(request)
    const content = await contentOf(request, endpoint, tab, draft)
    const { status, verified } = endpoint
    const holds = {
      paused: status === 'paused',
      disabled: status === 'disabled',
      opened: status === 'active',
      unverified: status === 'unverified',
      moved: !verified,
    }
    return showPage(reply, shortUrl(endpoint.url), endpointFrame(endpoint, tab, content), {
      notice: notice ?? doneNotice(request, notices.endpoint, holds),
      crumbs: [['Endpoints', '/dashboard/webhooks']],
    })
  }

  scope.get(PATH, (_, reply) => show(reply))

  scope.post(`${PATH}/verify`, async (request, reply) => {
    const input = { ...paramsOf(request), ...textFields(request.body, ['challenge']) }
    const { status, attempt } = await call(request, verifyEndpoint, input)
    const notice =
      status === 'verified'
        ? html`URL verified. Events are delivered from now on.`
        : notVerified(attempt)
    return show(reply, { notice })
  })

  scope.post(`${PATH}/test`, async (request, reply) => {
    const { id } = paramsOf(request)
    const { note } = textFields(request.body, ['note'])
    const { delivery_id } = await call(request, testEndpoint, { id, note })
    return delivery_id === null
      ? redirectDone(reply, `/dashboard/webhooks/${id}`, 'tested')
      : redirectDone(reply, `/dashboard/deliveries/${delivery_id}`, 'written')
  })

  scope.post(`${PATH}/retry`, async (request, reply) => {
    const { id } = paramsOf(request)
    const { all } = textFields(request.body, ['all'])
    const { endpoint } = await call(request, getEndpoint, { id })
    const failed_since = all === 'on' ? endpoint.created_at : undefined
    await call(request, retryDeliveries, { endpoint: id, failed_since })
    return redirectDone(reply, `/dashboard/webhooks/${id}`, 'retried')
  })

  for (const [verb, operation, word, fields] of [
    ['pause', pauseEndpoint, 'paused', []],
    ['disable', disableEndpoint, 'disabled', []],
    ['resume', resumeEndpoint, 'opened', ['held']],
    ['enable', enableEndpoint, 'opened', ['held']],
  ] as const) {
    scope.post(`${PATH}/${verb}`, async (request, reply) => {
      const { held } = textFields(request.body, fields)
      const question = discardQuestion(paramsOf(request).id)
      const subject = () => call(request, getEndpoint, paramsOf(request))
      if (held === 'discard' && (await askFirst(reply, question, subject))) return reply
      const { endpoint } = await call(request, operation, { ...paramsOf(request), held })
      const isUnverified = word === 'opened' && endpoint.status === 'unverified'
      const outcome = isUnverified ? 'unverified' : word
      return redirectDone(reply, `/dashboard/webhooks/${endpoint.id}`, outcome)
    })
  }

  scope.post(`${PATH}/update`, async (request, reply) => {
    const { id } = paramsOf(request)
    const input = endpointInput(request.body)
    const work = call(request, updateEndpoint, { id, ...input })
    const { output, refused, errors } = await tryForm(reply, work, endpointForm)
    if (!output) return show(reply, { draft: { input, refused, errors } })
    return redirectDone(reply, `/dashboard/webhooks/${id}`, output.next ? 'moved' : 'updated')
  })

  scope.get(`${PATH}/delete`, async (request, reply) => {
    const { endpoint } = await call(request, getEndpoint, paramsOf(request))
    const { pending, held } = endpoint.deliveries
    const path = `/dashboard/webhooks/${endpoint.id}`
    const body = html`
<p>Nothing more will be sent to <code>${endpoint.url}</code>. Its secrets and headers are erased,
and ${pending + held} waiting deliveries are discarded. You can still read past deliveries.</p>
${confirmForm(`${path}/delete`, 'Delete endpoint', [path, 'Keep the endpoint'])}`
    return showPage(reply, `Delete ${shortUrl(endpoint.url)}?`, body)
  })

  scope.post(`${PATH}/delete`, async (request, reply) => {
    await call(request, deleteEndpoint, paramsOf(request))
    return redirectDone(reply, '/dashboard/webhooks', 'deleted')
  })
}

const discardQuestion = (id: string) =>
  ({
    title: 'Discard the held events?',
    text: 'Deliveries waiting for this endpoint are discarded. Later you can only replay them.',
    button: 'Discard and continue',
    back: [`/dashboard/webhooks/${id}`, 'Keep them'],
  }) as const

/** Why a URL has not been verified; without an attempt, verification is still in progress. */
function notVerified(attempt: z.infer<typeof verifyEndpoint.output>['attempt']): Html {
  if (!attempt) return html`Not verified yet. The challenge is under way: reload in a few seconds.`
  const what =
    attempt.status === 'succeeded'
      ? 'Your receiver answered without the signature of the challenge'
      : `The challenge did not arrive: ${attemptWords(attempt)}`
  return html`Not verified yet. ${what}. ${link('/docs/webhooks', 'How to answer it')}. Fix the
receiver or the URL, and verify again.`
}
