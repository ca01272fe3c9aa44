import type { FastifyReply } from 'fastify'
import { advanceClock } from '../../../clocks/operations/advance-clock.ts'
import { createClock } from '../../../clocks/operations/create-clock.ts'
import { deleteClock } from '../../../clocks/operations/delete-clock.ts'
import { getClock, listClocks } from '../../../clocks/operations/read-clocks.ts'
import type { TestClock } from '../../../clocks/schema/test-clocks.ts'
import * as ui from '../../page/components.ts'
import {
  doneNotice,
  type FieldErrors,
  paramsOf,
  textFields,
  tryForm,
  utcInstant,
} from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { leaveMode } from '../mode-address.ts'
import { type Page, redirectDone, showPage } from '../page.ts'

const PATH = '/dashboard/clocks'
const rules = {
  labels: { name: 'name', now: 'starts at', by: 'move by', to: 'move to' },
  codes: ['clock_limit', 'too_many_tries', 'clock_advancing', 'clock_backwards', 'clock_too_far'],
} as const

const clockBadge = ({ status }: TestClock): Html =>
  ui.badge(status, status === 'ready' ? 'good' : 'wait')

const columns: ui.Columns<TestClock> = {
  Name: ({ id, name }) => ui.rowLink(`${PATH}/${id}`, name),
  Shows: ({ now }) => ui.exactly(now),
  Status: clockBadge,
  Created: ({ created_at }) => ui.when(created_at),
}

const none = ui.empty(
  'No test clocks yet',
  'A clock gives you a sandbox whose weeks pass in seconds. Create one below.',
)

const notices = {
  advanced: 'The clock has moved. Everything due on the way has happened.',
  advancing: 'The clock is moving. This page follows it.',
  deleted: 'Clock deleted. Its key no longer works.',
}

type Draft = { values?: Record<string, string | undefined>; refused: string; errors: FieldErrors }

/** `/dashboard/clocks`: the test clocks, and a form that creates one and shows its key once. */
export const clocks: Page = async (scope, { call }) => {
  async function show(reply: FastifyReply, { values = {}, refused, errors = {} }: Partial<Draft>) {
    const { request } = reply
    const { test_clocks } = await call(request, listClocks, {})
    const inputs = [ui.formId(), ui.alert(refused), ...fields(values, errors)]
    const body = html`
<p>Each clock has a sandbox of its own, with a test key. Open it to see what is in there. Move the
clock, and reminders, deadlines and webhooks of that key follow.
${ui.link('/docs/test-clocks', 'How test clocks work')}</p>
${ui.listTable('Test clocks', test_clocks, columns, none)}
<h2>Create a test clock</h2>
${ui.stackForm(PATH, 'Create clock', inputs, 'main')}`
    return showPage(reply, 'Test clocks', body, { notice: doneNotice(request, notices) })
  }

  scope.get(PATH, (_, reply) => show(reply, {}))

  scope.post(PATH, async (request, reply) => {
    const values = textFields(request.body, ['name', 'now'])
    const { name, now } = values
    const work = call(request, createClock, { name, now: utcInstant(now || undefined) })
    const { output, refused, errors } = await tryForm(reply, work, rules)
    if (!output) return show(reply, { values, refused, errors })
    return showPage(reply, 'Test clock created', keyView(output.test_clock, output.raw_key))
  })
}

const fields = ({ name, now }: Record<string, string | undefined>, errors: FieldErrors) => [
  ui.field('Name', {
    name: 'name',
    value: name,
    error: errors.name,
    required: true,
    maxlength: 100,
    autocomplete: 'off',
  }),
  ui.field(
    'Starts at',
    { name: 'now', type: 'datetime-local', value: now, error: errors.now },
    'UTC, within a year of today. Leave empty to start now.',
  ),
]

const keyView = ({ id, name }: TestClock, raw: string | undefined): Html => html`
${
  raw === undefined
    ? html`<p role="alert">This form was already submitted and the key was shown then.</p>`
    : html`<p>The test key of <strong>${name}</strong>. You won’t see it again:</p>
<p class="secret">${ui.copyable(raw)}</p>
<p>Send it as <code>Authorization: Bearer …</code>. These requests use the clock’s time.</p>`
}
<p>${ui.link(`${PATH}/${id}`, 'Go to the clock')} · ${ui.link(PATH, 'All clocks')}</p>`

/** One clock: its time, and the forms to advance and delete it. */
export const clock: Page = async (scope, { call }) => {
  async function show(reply: FastifyReply, draft: Partial<Draft> = {}) {
    const { request } = reply
    const { test_clock } = await call(request, getClock, paramsOf(request))
    const isMoving = test_clock.status === 'advancing'
    if (isMoving) reply.header('refresh', '2')
    return showPage(reply, test_clock.name, clockView(test_clock, draft), {
      notice: doneNotice(request, notices, { advancing: isMoving, advanced: !isMoving }),
      crumbs: [['Test clocks', PATH]],
    })
  }

  scope.get(`${PATH}/:id/move`, (_, reply) => show(reply))

  scope.post(`${PATH}/:id/move`, async (request, reply) => {
    const values = textFields(request.body, ['by', 'to'])
    const to = utcInstant(values.to || undefined)
    const how = to === undefined ? { by: values.by } : { to }
    const work = call(request, advanceClock, { ...paramsOf(request), ...how, wait: 5 })
    const { output, refused, errors } = await tryForm(reply, work, rules)
    if (!output) return show(reply, { values, refused, errors })
    const isDone = output.status === 'ready'
    return redirectDone(
      reply,
      `${PATH}/${output.test_clock.id}/move`,
      isDone ? 'advanced' : 'advancing',
    )
  })

  scope.get(`${PATH}/:id/delete`, async (request, reply) => {
    const { test_clock } = await call(request, getClock, paramsOf(request))
    const path = `${PATH}/${test_clock.id}`
    const body = html`
<p>The key and the endpoints of <strong>${test_clock.name}</strong> stop working, and you can no
longer read what it booked. Open bookings continue in real time; no venue or guest is notified. This
cannot be undone.</p>
${ui.confirmForm(`${path}/delete`, 'Delete clock', [path, 'Keep the clock'])}`
    return showPage(reply, `Delete ${test_clock.name}?`, body)
  })

  scope.post(`${PATH}/:id/delete`, async (request, reply) => {
    await call(request, deleteClock, paramsOf(request))
    leaveMode(request)
    return redirectDone(reply, PATH, 'deleted')
  })
}

const steps = {
  PT5M: '5 minutes',
  PT1H: '1 hour',
  P1D: '1 day',
  P3D: '3 days',
  P1W: '1 week',
  P3W: '3 weeks',
  P30D: '30 days',
}

function clockView(clock: TestClock, { values, refused, errors = {} }: Partial<Draft>): Html {
  const { id, now, advancing_to, created_at } = clock
  const path = `${PATH}/${id}`
  return html`
<p>${clockBadge(clock)}</p>
${ui.facts([
  ['Shows', ui.exactly(now)],
  ['Moving to', advancing_to && ui.exactly(advancing_to)],
  ['Id', ui.copyable(id)],
  ['Created', ui.when(created_at)],
])}
<h2>Move forward</h2>
<p>Everything due on the way happens in order: reminders, deadlines, completions, deliveries.</p>
${ui.stackForm(
  `${path}/move`,
  'Move',
  [
    ui.alert(refused),
    ui.choice('By', 'by', steps, values?.by ?? 'P1D'),
    ui.field(
      'Or to',
      { name: 'to', type: 'datetime-local', value: values?.to, error: errors.to },
      'UTC. Leave empty to move by the time above.',
    ),
  ],
  'main',
)}
<h2>Delete</h2>
<p>${ui.link(`${path}/delete`, 'Delete this clock')}</p>`
}
