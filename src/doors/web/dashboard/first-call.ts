import type { FastifyInstance } from 'fastify'
import { hasCalled } from '../../../operations/first-call.ts'
import { framedPolicy } from '../../content-policy.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { badge } from '../parts.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { sendPage } from './layout.ts'
import { given } from './query.ts'

const REFRESH_SECONDS = 3

/** Whether the account has called: for the element as JSON, and as a page in a frame where no script runs. */
export async function firstCall(scope: FastifyInstance, { services }: DashboardDeps) {
  scope.get('/dashboard/first-call.json', async (request) => ({
    called: await hasCalled(services, request.keyHolder?.id ?? ''),
  }))

  scope.get('/dashboard/first-call', async (request, reply) => {
    const called = await hasCalled(services, request.keyHolder?.id ?? '')
    const { still } = given(request.query, ['still'])
    reply.header('content-security-policy', framedPolicy)
    if (!called && !still) reply.header('refresh', String(REFRESH_SECONDS))
    return sendPage(reply, framed(called, still !== undefined))
  })
}

/** Waiting for the first call, or that it has come. A key that is shown on the same page stays there: only the frame is loaded anew. */
export const firstCallState = (called: boolean): Html =>
  called
    ? state(true)
    : html`
<first-call data-src="/dashboard/first-call.json"><div data-waiting role="status">${state(false)}</div><template>${state(true)}</template></first-call>
<noscript><iframe class="first-call" src="/dashboard/first-call" title="Whether your first call has come"></iframe></noscript>`

const state = (called: boolean): Html =>
  called
    ? html`<p>${badge('received', 'good')} Your first call has come. Those of the last 7 days are in the list of your <a href="/dashboard/requests" target="_top">requests</a>.</p>`
    : html`<p>${badge('waiting', 'wait')} Waiting for your first call …</p>`

const looking = (isStill: boolean): Html =>
  isStill
    ? html`<p><a href="/dashboard/first-call">Look every ${REFRESH_SECONDS} seconds</a></p>`
    : html`<p><a href="/dashboard/first-call?still=1">Stop looking</a></p>`

const framed = (called: boolean, isStill: boolean): string =>
  html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <title>Your first call</title>
  <link rel="stylesheet" href="${assetPath('base.css')}">
</head>
<body class="framed"><main>${state(called)}${called ? '' : looking(isStill)}</main></body>
</html>
`.markup
