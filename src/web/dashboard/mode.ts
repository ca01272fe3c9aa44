import type { FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { shownClock, type TestClock } from '../../clocks/schema/test-clocks.ts'
import { selectOptionalClockOf } from '../../clocks/store/clocks.ts'
import { sandboxHolderOf } from '../../doors/guards/session.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { findOrCreateSandbox } from '../../sandbox/store/sandboxes.ts'
import { exactly, link } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { inMode, leaveMode, type Mode, modeOf } from './mode-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the test clock of the sandbox that the page shows */
    clock?: TestClock
  }
}

/** Sections about the account as a whole, which sandboxes lack. */
const ofTheAccount = new RegExp(
  '^/dashboard/(?:quickstart|first-call|agents|keys|connections|clocks|plan|members|accounts?|' +
    'operators)\\b',
)

const isOfTheAccount = ({ routeOptions }: FastifyRequest) =>
  ofTheAccount.test(routeOptions.url ?? '')

/**
 * Makes a request act in the sandbox that its address names, and creates a sandbox on the first
 * visit. Throws `clock_not_found` for a clock of another account.
 */
export async function chooseHolder(request: FastifyRequest, db: Pool, at: Date): Promise<void> {
  const { developer } = request
  const mode = modeOf(request)
  if (!developer || mode === 'live') return
  const { account_id: accountId } = developer
  if (mode === 'test') {
    if (isOfTheAccount(request)) return
    const id = await transaction(db, (tx) => findOrCreateSandbox(tx, accountId, at))
    request.keyHolder = sandboxHolderOf(developer, id)
    return
  }
  const clock = await selectOptionalClockOf(db, accountId, mode.clock)
  if (!clock) {
    leaveMode(request)
    throw refuse('clock_not_found')
  }
  request.clock = shownClock(clock, at)
  if (isOfTheAccount(request)) return
  request.keyHolder = sandboxHolderOf(developer, clock.id, clock.ahead_ms)
}

/** Links to the same section in the live account and in its sandbox, shown on every page. */
export function modeSwitch(request: FastifyRequest, section: string): Html {
  const { clock } = request
  const now = modeOf(request)
  const path = `/dashboard${section && `/${section}`}`
  const to = (mode: Mode, label: string) =>
    html`<a data-mode href="${inMode(mode, path)}"${mode === now && html` aria-current="true"`}
>${label}</a>`
  return html`<nav class="mode${now !== 'live' && ' test'}" aria-label="Mode">${to('live', 'Live')}
${to('test', 'Test')}${clock && to(now, clock.name)}</nav>`
}

/** The notice shown on sandbox pages. */
export function modeNotice(request: FastifyRequest): Html {
  const { clock } = request
  if (modeOf(request) === 'live') return html``
  const whole =
    isOfTheAccount(request) && html` This page is about your whole account, live and test.`
  if (!clock) {
    return html`<p class="notice test"><strong>Test mode.</strong> This is your sandbox: bookings
here reach no venue and no guest.${whole} ${link('/docs/sandbox', 'What you can test')}</p>`
  }
  return html`<p class="notice test"><strong>Clock: ${exactly(clock.now)}</strong>
${clock.advancing_to && html` Moving to ${exactly(clock.advancing_to)}.`}
· ${link(`/dashboard/clocks/${clock.id}/move`, 'Move')} · This is the sandbox of
${clock.name}.${whole} ${link('/dashboard/clocks', 'All clocks')}</p>`
}
