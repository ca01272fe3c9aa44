import type { FastifyInstance } from 'fastify'
import {
  cancelReplay,
  pauseReplay,
  resumeReplay,
} from '../../../webhooks/operations/change-replay.ts'
import { getEndpoint } from '../../../webhooks/operations/read-endpoints.ts'
import { getReplay } from '../../../webhooks/operations/read-replays.ts'
import { replayEvents } from '../../../webhooks/operations/replay-events.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { backToEndpoint } from './endpoint-done.ts'
import { doneNotice, tryForm } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given, idOf } from './query.ts'
import { replayLabels, replayRequest } from './replay-request.ts'
import { replayCountView, replayFormView, replayView } from './replay-view.ts'

const section = 'webhooks'
const LOOK_AGAIN_SECONDS = 3

const done = {
  begun: 'The replay has begun.',
  changed: 'Changed.',
}

/** Having events delivered again: counted first, then begun, then watched. */
export async function replays(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get('/dashboard/webhooks/:id/replay', async (request, reply) => {
    const id = idOf(request)
    const { endpoint } = await call(request, getEndpoint, { id })
    const { way } = given(request.query, ['way'])
    if (way === undefined) {
      const view = { title: 'Replay and recover', section, body: replayFormView(endpoint) } as const
      return sendPage(reply, dashboardPage(request, view))
    }
    const asked = { id, ...replayRequest(request.query), dry_run: true }
    const counting = call(request, replayEvents, asked)
    const { done: counted, refused } = await tryForm(counting, replayLabels)
    if (refused) {
      const tried = { chosen: request.query, refused: refused.words }
      const body = replayFormView(endpoint, tried)
      const view = { title: 'Replay and recover', section, body } as const
      return sendPage(reply.code(refused.status), dashboardPage(request, view))
    }
    const { counts } = counted
    const body = replayCountView(endpoint, request.query, counts)
    return sendPage(reply, dashboardPage(request, { title: 'Replay these?', section, body }))
  })

  scope.post('/dashboard/webhooks/:id/replays', async (request, reply) => {
    const id = idOf(request)
    const { form } = given(request.body, ['form'])
    const asked = { id, ...replayRequest(request.body), ...(form && { idempotency_key: form }) }
    const { replay } = await call(request, replayEvents, asked)
    if (!replay) return backToEndpoint(request, reply, 'replayed')
    return reply.redirect(`/dashboard/replays/${replay.id}?done=begun`, 303)
  })

  scope.get('/dashboard/replays/:id', async (request, reply) => {
    const { replay } = await call(request, getReplay, { id: idOf(request) })
    const isMoving = replay.status === 'running' || replay.deliveries.under_way > 0
    const { still } = given(request.query, ['still'])
    const looks = isMoving && !still
    if (looks) reply.header('refresh', String(LOOK_AGAIN_SECONDS))
    const body = replayView(replay, { isMoving, looks })
    const notice = isMoving ? undefined : doneNotice(request, done)
    return sendPage(reply, dashboardPage(request, { title: 'Replay', section, body, notice }))
  })

  for (const [word, operation] of [
    ['pause', pauseReplay],
    ['resume', resumeReplay],
    ['cancel', cancelReplay],
  ] as const) {
    scope.post(`/dashboard/replays/:id/${word}`, async (request, reply) => {
      const { replay } = await call(request, operation, { id: idOf(request) })
      return reply.redirect(`/dashboard/replays/${replay.id}?done=changed`, 303)
    })
  }
}
