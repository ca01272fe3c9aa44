import type { FastifyRequest } from 'fastify'
import { holderOf } from '../../guards/session.ts'
import { type Html, html } from '../html.ts'

const PATH = '/dashboard/mode'

/** Sections about the account as a whole, which a sandbox has no part in. */
const ofTheAccount =
  /^\/dashboard\/(?:quickstart|first-call|agents|keys|plan|members|accounts?|operators|support)\b/

/** In test mode, pages about the account itself still show the live one. */
export function chooseHolder(request: FastifyRequest): void {
  const { developer, routeOptions } = request
  if (!developer?.sandbox_id || !ofTheAccount.test(routeOptions.url ?? '')) return
  request.keyHolder = holderOf({ ...developer, sandbox_id: null })
}

/** Whether the reader has switched to the sandbox. */
const isTestMode = ({ developer }: FastifyRequest): boolean => Boolean(developer?.sandbox_id)

/** The switch between the live account and its sandbox, for the frame of every page. */
export function modeSwitch(request: FastifyRequest): Html {
  const now = isTestMode(request) ? 'test' : 'live'
  const button = (mode: 'live' | 'test', label: string) =>
    html`<button name="mode" value="${mode}" aria-pressed="${String(mode === now)}"
>${label}</button>`
  return html`<form class="mode ${now}" method="post" action="${PATH}" aria-label="Mode"
role="group">${button('live', 'Live')}${button('test', 'Test')}</form>`
}

/** Says on the pages of a sandbox that they are of one. */
export function testNotice(request: FastifyRequest): Html {
  if (request.keyHolder?.mode !== 'test') return html``
  return html`<p class="notice test"><strong>Test mode.</strong> This is your sandbox: bookings here
reach no venue and no guest. <a href="/docs/sandbox">What you can test</a></p>`
}
