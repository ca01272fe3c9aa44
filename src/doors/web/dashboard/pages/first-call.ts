import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type NewestCall, newestCall } from '../../../../accounts/operations/list-requests.ts'
import { framedPolicy } from '../../../content-policy.ts'
import { assetPath } from '../../assets.ts'
import { badge } from '../../components/badge.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given } from '../../query.ts'
import type { DashboardDeps } from '../page-deps.ts'

const REFRESH_SECONDS = 3

/** Whether the account has called, and what the newest call was: for the element as JSON, and as a page in a frame where no script runs. */
export async function firstCall(scope: FastifyInstance, { services }: DashboardDeps) {
  const newestOf = ({ keyHolder }: FastifyRequest) => newestCall(services, keyHolder?.id ?? '')

  scope.get('/dashboard/first-call.json', async (request) => {
    const newest = await newestOf(request)
    return { called: newest !== undefined, newest: newest ? wordsOf(newest) : null }
  })

  scope.get('/dashboard/first-call', async (request, reply) => {
    const newest = await newestOf(request)
    const { still } = given(request.query, ['still'])
    reply.header('content-security-policy', framedPolicy)
    if (!newest && !still) reply.header('refresh', String(REFRESH_SECONDS))
    const state = newest
      ? received(wordsOf(newest))
      : html`${waiting}${looking(still !== undefined)}`
    return sendPage(reply, framed(state))
  })
}

/** Waiting for the first call, or that it has come. A key that is shown on the same page stays there: only the frame is loaded anew. */
export const firstCallState = (newest: NewestCall | undefined): Html =>
  newest
    ? received(wordsOf(newest))
    : html`
<first-call data-src="/dashboard/first-call.json"><div data-waiting role="status">${waiting}</div><template>${received('')}</template></first-call>
<noscript><iframe class="first-call" src="/dashboard/first-call" title="Status of your first request"></iframe></noscript>`

const waiting = html`<p>${badge('waiting', 'wait')} Waiting for your first request …</p>`

const received = (words: string): Html =>
  html`<p>${badge('received', 'good')} We received your first request. <span data-newest>${words}</span> See the last 7 days of <a href="/dashboard/requests" target="_top">requests</a>.</p>`

const looking = (isStill: boolean): Html =>
  isStill
    ? html`<p><a href="/dashboard/first-call">Refresh every ${REFRESH_SECONDS} seconds</a></p>`
    : html`<p><a href="/dashboard/first-call?still=1">Stop refreshing</a></p>`

/** When it came, through which door, and what became of it. */
function wordsOf({ at, door, operation, code }: NewestCall): string {
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const what = operation === null ? 'a request' : `“${operation}”`
  const became = code === null ? '' : code === 'ok' ? ', answered' : `, refused: ${code}`
  return `Latest: ${what} via ${doorNames[door] ?? door}, ${when}${became}.`
}

const doorNames: Record<string, string> = { rest: 'REST', a2a: 'A2A', mcp: 'MCP' }

const framed = (state: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <title>Your first request</title>
  <link rel="stylesheet" href="${assetPath('base.css')}">
</head>
<body class="framed"><main>${state}</main></body>
</html>
`.markup
