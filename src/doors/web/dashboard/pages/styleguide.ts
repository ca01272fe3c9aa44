import { bookingStatuses } from '../../../../contract/rules/booking-status.ts'
import { refuse } from '../../../../contract/rules/errors.ts'
import { endpointStatuses, shownDeliveryStatuses } from '../../../../webhooks/rules/statuses.ts'
import { bookingsByState } from '../../charts/bookings-by-state.ts'
import { deliveryLatency, deliveryOutcomes } from '../../charts/delivery-charts.ts'
import { requestsPerDay } from '../../charts/requests-per-day.ts'
import * as ui from '../../components.ts'
import { listFilters } from '../../filters.ts'
import { type Html, html } from '../../html.ts'
import { type Page, showPage } from '../page-kit.ts'
import { statusBadge } from '../status-badges.ts'

const PATH = '/dashboard/styleguide'

/** `/dashboard/styleguide`: every component in both colour schemes. Not in production. */
export const styleguide: Page = async (scope, { config }) => {
  scope.get(PATH, async (_, reply) => {
    if (config.NODE_ENV === 'production') throw refuse('page_not_found')
    const body = html`
<p>What pages are made of. Sizes, spaces and colours are in <code>styles/base</code>.</p>
${scheme('light')}${scheme('dark')}`
    const styles = ['charts.css', 'styleguide.css']
    const crumbs = [['Crumbs', PATH] as const, ['of a page', PATH] as const]
    return showPage(reply, 'Style guide', body, { styles, crumbs, notice: html`A notice.` })
  })
}

const scheme = (name: 'light' | 'dark'): Html => html`
<section class="scheme ${name}" aria-label="${name}"><h2>${name}</h2>
${Object.entries(parts).map(([title, part]) => html`<h3>${title}</h3>${part(name)}`)}</section>`

const tones = {
  done: 'good',
  waiting: 'wait',
  wrong: 'bad',
  'at work': 'info',
  over: 'quiet',
} as const

type Row = { name: string; status: Html; amount: string; count: number }

const rows: Row[] = [
  { name: 'Angin Laut Sushi', status: statusBadge('confirmed'), amount: 'IDR 28,000', count: 1200 },
  { name: 'Jepun Garden', status: statusBadge('pending'), amount: 'IDR 14,500', count: 8 },
]

const columns: ui.Columns<Row> = {
  Thing: ({ name }) => ui.rowLink(PATH, name),
  Status: ({ status }) => status,
  Other: () => ui.link(PATH, 'a quiet link'),
  Count: ({ count }) => count,
  Amount: ({ amount }) => ui.figure(amount),
  When: () => ui.when('2026-11-24T11:00:00Z'),
}

const filters = [
  { label: 'Status', name: 'status', options: ui.anyOf(['pending', 'failed']) },
  { label: 'Venue', name: 'venue', error: 'No venue has this name.' },
  { label: 'From', name: 'from', type: 'date' },
] as const

/** The parts by title. Ids within a page are unique, so charts are named by the scheme. */
const parts: Record<string, (scheme: string) => Html> = {
  Type: () => html`
<p class="sizes"><span class="size-2xl">Title</span> <span class="size-xl">Section</span>
<span class="size-l">Text</span> <span class="size-m">Table</span> <span class="size-s">Hint</span>
</p><p>A sentence with ${ui.link(PATH, 'a link')}, <code>code</code>
and ${ui.quiet('quiet words')}.</p>`,
  Buttons: () => html`
<form class="row" method="get" action="${PATH}"><button class="main">Main</button>
<button>Second</button><button class="danger">Danger</button>
<button class="plain">Like a link</button><button class="small">Small</button>
<button disabled>Disabled</button>${ui.linkButton(PATH, 'A link')}
${ui.linkButton(PATH, 'A second link', true)}</form>`,
  Badges: () => html`
<p>${Object.entries(tones).map(([word, tone]) => html`${ui.badge(word, tone)} `)}</p>
<p>${[...new Set([...bookingStatuses, ...shownDeliveryStatuses, ...endpointStatuses])].map(
    (status) => html`${statusBadge(status)} `,
  )}</p>`,
  'A refused form': () =>
    html`${ui.alert('URL: give an https URL.')}${ui.stackForm(
      PATH,
      'Save',
      [
        ui.field(
          'URL',
          { name: 'url', required: true, value: 'ftp://', error: 'Use https.' },
          'Public.',
        ),
        ui.field('Description', { name: 'description' }, 'Only you see it.'),
        ui.textArea('Body', { name: 'body', rows: 2 }),
        ui.choice('Overlap', 'overlap', { 1: '1 day', 2: '2 days' }),
        html`<fieldset><legend>Events</legend>
${ui.checkbox('All events', 'types', '*', true)}</fieldset>`,
      ],
      'main',
    )}`,
  'A question': () => ui.confirmForm(PATH, 'Delete endpoint', [PATH, 'Keep the endpoint']),
  Filters: () => listFilters(PATH, { status: 'failed', venue: 'Nowhere' }, filters),
  Table: () => html`${ui.listTable('Things', rows, columns)}
${ui.pager('x', () => PATH)}`,
  'An empty list': () =>
    ui.empty(
      'No endpoints yet',
      'Receive signed events.',
      ui.linkButton(PATH, 'Create an endpoint'),
    ),
  Facts: () =>
    ui.facts([
      ['Key', ui.copyable('01a20ea5')],
      ['Guests', 2],
      ['Left out', null],
    ]),
  Notices: () => html`
<p class="notice">Saved.</p><p class="notice bad">Your endpoint is failing.</p>`,
  Progress: (scheme) => html`
<p><progress aria-label="14 of 10,000, ${scheme}" max="10000" value="14"></progress></p>
<p><progress aria-label="6 of 10, ${scheme}" max="10" value="6"></progress></p>`,
  'Tabs, card and code': () => html`
${ui.tabs('Parts', { Overview: PATH, Settings: `${PATH}?settings` }, 'Overview')}
<div class="card"><p>A card.</p>${ui.codeBlock(ui.jsonText({ party_size: 2 }), 'Code')}</div>`,
  Charts: (scheme) => html`<div class="charts">${requestsPerDay(`${scheme}-r`, days)}
${deliveryOutcomes(`${scheme}-o`, spans)}${deliveryLatency(`${scheme}-l`, spans)}
${bookingsByState(`${scheme}-b`, { confirmed: 12, cancelled: 3, held: 1 })}</div>`,
}

const days = [3, 0, 8, 13, 5, 9, 14].map((calls, index) => ({
  day: `2026-11-${18 + index}`,
  calls,
  by_code: { ok: Math.max(0, calls - 2) },
}))

const spans = [12, 18, null, 9, null, 20, 24, 21].map((ms, index) => ({
  at: `2026-11-24T${10 + index}:00:00Z`,
  succeeded: ms ?? 0,
  failed: index % 3,
  p50_ms: ms,
  p95_ms: ms && ms * 3,
}))
