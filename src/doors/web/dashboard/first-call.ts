import type { FastifyInstance } from 'fastify'
import { hasCalled } from '../../../operations/first-call.ts'
import { framedPolicy } from '../../content-policy.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { badge } from '../parts.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { sendPage } from './layout.ts'

const REFRESH_SECONDS = 3

/** Whether the account has called: for the element as JSON, and as a page in a frame where no script runs. */
export async function firstCall(scope: FastifyInstance, { services }: DashboardDeps) {
  scope.get('/dashboard/first-call.json', async (request) => ({
    called: await hasCalled(services, request.keyHolder?.id ?? ''),
  }))

  scope.get('/dashboard/first-call', async (request, reply) => {
    const called = await hasCalled(services, request.keyHolder?.id ?? '')
    reply.header('content-security-policy', framedPolicy)
    if (!called) reply.header('refresh', String(REFRESH_SECONDS))
    return sendPage(reply, framed(called))
  })
}

/** Waiting for the first call, or that it has come. A key that is shown on the same page stays there: only the frame is loaded anew. */
export const firstCallState = (called: boolean): Html =>
  called
    ? state(true)
    : html`
<first-call data-src="/dashboard/first-call.json"><div data-waiting>${state(false)}</div><template>${state(true)}</template></first-call>
<noscript><iframe class="first-call" src="/dashboard/first-call" title="Whether your first call has come"></iframe></noscript>`

const state = (called: boolean): Html =>
  called
    ? html`<p role="status">${badge('received', 'good')} Your first call has come. It is in the list of your <a href="/dashboard/requests" target="_top">requests</a>.</p>`
    : html`<p role="status">${badge('waiting', 'wait')} Waiting for your first call …</p>`

const framed = (called: boolean): string =>
  html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <title>Your first call</title>
  <link rel="stylesheet" href="${assetPath('base.css')}">
</head>
<body class="framed"><main>${state(called)}</main></body>
</html>
`.markup
