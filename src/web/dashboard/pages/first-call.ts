import type { FastifyRequest } from 'fastify'
import { type NewestCall, newestCall } from '../../../accounts/operations/list-requests.ts'
import { toLocal } from '../../../base/local-time.ts'
import { framedPolicy } from '../../../doors/http/content-policy.ts'
import { badge, link } from '../../page/components.ts'
import { textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { document, sendPage } from '../../page/page.ts'
import { localText } from '../../page/times.ts'
import { doorNames } from '../call-rows.ts'
import type { Page } from '../page.ts'
import { zoneOf, zoneText } from '../reader-zone.ts'

const PATH = '/dashboard/first-call'
const REFRESH_SECONDS = 3

/** The state of the first request: JSON for scripts, a frame for pages without them. */
export const firstCall: Page = async (scope, { services }) => {
  const newestOf = ({ keyHolder }: FastifyRequest) => newestCall(services, keyHolder?.id ?? '')

  scope.get(`${PATH}.json`, async (request) => {
    const newest = await newestOf(request)
    return {
      called: newest !== undefined,
      newest: newest ? callWords(newest, zoneOf(request)) : null,
    }
  })

  scope.get(PATH, async (request, reply) => {
    const newest = await newestOf(request)
    const { still } = textFields(request.query, ['still'])
    reply.header('content-security-policy', framedPolicy)
    if (!newest && !still) reply.header('refresh', String(REFRESH_SECONDS))
    const refresh = still
      ? link(PATH, `Refresh every ${REFRESH_SECONDS} seconds`)
      : link(`${PATH}?still=1`, 'Stop refreshing')
    const state = newest
      ? received(callWords(newest, zoneOf(request)))
      : html`${waiting}<p>${refresh}</p>`
    const body = html`<body class="framed"><main>${state}</main></body>`
    return sendPage(reply, document('Your first request', html``, body))
  })
}

/** The state of the first request. Only the frame reloads, because the page may show a key. */
export const firstCallState = (newest: NewestCall | undefined, zone: string): Html =>
  newest
    ? received(callWords(newest, zone))
    : html`
<first-call data-src="${PATH}.json"><div data-waiting role="status">${waiting}</div>
<template>${received('')}</template></first-call>
<noscript><iframe class="first-call" src="${PATH}" title="Status of your first request"></iframe>
</noscript>`

const waiting = html`<p>${badge('waiting', 'wait')} Waiting for your first request …</p>`

const received = (words: string): Html =>
  html`<p>${badge('received', 'good')} We received your first request.
<span data-newest>${words}</span>
See the last 7 days of <a href="/dashboard/requests" target="_top">requests</a>.</p>`

/** The time, door, operation and outcome of a request. */
function callWords({ at, door, operation, code }: NewestCall, zone: string): string {
  const when = `${localText(toLocal(zone, at))} (${zoneText(zone, at)})`
  const what = operation === null ? 'a request' : `“${operation}”`
  const outcome = code === null ? '' : code === 'ok' ? ', answered' : `, refused: ${code}`
  return `Latest: ${what} via ${doorNames[door] ?? door}, ${when}${outcome}.`
}
