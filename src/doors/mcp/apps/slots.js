import { connectHost } from './host.js'
import {
  aboutOf,
  button,
  cancelRule,
  chargeOf,
  DAY,
  el,
  fill,
  foreign,
  line,
  list,
  money,
  nameOf,
  quiet,
  say,
  statusText,
  TIME,
  title,
  toneOf,
  when,
} from './page.js'

const main = document.querySelector('main')
const notice = document.querySelector('[role=status]')
/** A tool, its input and its answer; and those that were shown before. */
let shown = { args: {} }
const before = []
let host

/** Calls a tool; meanwhile nothing else can be tapped. */
async function call(name, args) {
  for (const control of main.querySelectorAll('button, select, input')) control.disabled = true
  notice.textContent = say().loading
  return host.callTool(name, args)
}

/** Calls a tool and shows its answer. Where the host lets no view call tools, it asks the model. */
async function go(tool, args) {
  if (!host.can.serverTools) return ask(tool, args)
  const data = await call(tool, args)
  const isNext = data.error || (tool !== shown.tool && !shown.data.booking)
  if (isNext && !shown.data.error) before.push(shown)
  show({ tool, args, data }, true)
  const { id, status } = data.booking ?? {}
  const text = `The user called ${tool} in the view. Booking ${id} is ${status}; see get_booking.`
  const context = { content: [{ type: 'text', text }] }
  if (id && tool !== 'get_booking') await host.tryRequest('ui/update-model-context', context)
}

const open = async (url) => {
  if (!(await host.tryRequest('ui/open-link', { url }))) notice.textContent = url
}

/** Sends a call to the model as the user's message, without texts of venues. */
async function ask(tool, { service: _, with: __, ...args }) {
  const text = `${say().please} ${tool} ${JSON.stringify(args)}`
  const message = { role: 'user', content: [{ type: 'text', text }] }
  notice.textContent = say().loading
  notice.textContent = say()[(await host.tryRequest('ui/message', message)) ? 'asked' : 'problem']
}

function show(next = shown, isFocused = false) {
  shown = next
  const { data } = shown
  if (!data) return render([line(say().loading)])
  const ofVenues = data.venues || data.venue ? listView : () => line(say().asked)
  const view = data.error ? problemView : data.booking ? bookingView : ofVenues
  const back = () => show(before.pop(), true)
  render([before.length > 0 && button(say().back, back), view(data)], isFocused)
}

function render(nodes, isFocused) {
  main.replaceChildren(...nodes.flat(3).filter(Boolean))
  main.onkeydown = null
  notice.textContent = ''
  if (isFocused) main.querySelector('h1')?.focus()
}

/** Asks which choice to take, or none. */
function question(text, lines, choices, no = say().no) {
  const leave = () => show(shown, true)
  const buttons = choices.map(([label, act]) => button(label, act, { class: 'good' }))
  render([title(text), lines, list(buttons, button(no, leave))], true)
  main.onkeydown = ({ key }) => {
    if (key === 'Escape') leave()
  }
}

/** The venues of an answer, of which availability and a single venue have other forms. */
function venuesOf({ venues, venue, days, services, ...availability }) {
  if (venues || !venue) return venues ?? []
  return [{ services, ...venue, ...(days && { availability: { ...availability, days } }) }]
}

/** The free times in a compact or full answer. */
const slotsOf = ({ days = [], slots = days.flatMap((day) => day.slots ?? []) }) => [
  ...days.flatMap(({ date, times = [], services = [] }) =>
    times.map((time, index) => ({ slot_time: `${date}T${time}`, service: services[index] })),
  ),
  ...slots.filter(({ status }) => status !== 'unavailable' && status !== 'closed'),
]

const serviceIn = ({ service, minutes, with: person }) =>
  service ? { service, ...(minutes && { minutes }), ...(person && { with: person }) } : {}

/** The tools whose answers depend on the number of guests. */
const sized = ['search_venues', 'list_venues', 'check_availability']

function listView(data) {
  const { tool, args } = shown
  const venues = venuesOf(data)
  const size = args.party_size ?? data.party_size ?? data.interpretation?.party_size ?? 2
  const largest = Math.max(size, ...venues.map((one) => one.availability?.party_max ?? 8))
  const change = ({ target }) => {
    const next = { ...args, party_size: Number(target.value) }
    return host.can.serverTools && sized.includes(tool)
      ? go(tool, next)
      : show({ ...shown, args: next }, true)
  }
  const sizes = Array.from({ length: Math.min(largest, 50) }, (_, index) => index + 1)
  const options = sizes.map((one) => el('option', one === size ? { selected: '' } : {}, `${one}`))
  return [
    title(say().venues),
    el('label', {}, `${say().guests} `, el('select', { change }, options)),
    venues.map((venue) => venueView(venue, size)),
    venues.length === 0 && line(say().none),
  ]
}

function venueView({ availability = {}, services = [], ...venue }, party_size) {
  const { price, typical_spend, confirm_mode, book_with = {}, note } = availability
  const slots = slotsOf(availability)
  const { args, data } = shown
  const service = args.service && (data.understood?.service ?? args.service)
  const chosen = serviceIn(service ? { ...args, service } : book_with)
  const input = { venue: venue.slug, party_size, ...chosen }
  const hold = (slot) => {
    const { slot_time } = slot
    const args = { ...input, ...serviceIn(slot), slot_time }
    if (args.service || !(services.length > 1 && services[0].minutes)) return go('hold_slot', args)
    const choices = services.flatMap(({ name: service, minutes: lengths }) =>
      lengths.map((minutes) => [
        foreign(service, fill(say().minutes, { minutes })),
        () => go('hold_slot', { ...args, service, minutes }),
      ]),
    )
    question(say().choose, [line(foreign(venue.name, when(slot_time)))], choices)
  }
  const last = shown.tool === 'check_availability' && availability.days?.at(-1)?.date
  const next = last && new Date(Date.parse(last) + 86_400_000).toISOString()
  const date = (next || slots[0]?.slot_time)?.slice(0, 10)
  const more = () => go('check_availability', { ...input, ...(date && { date }), days: 7 })
  const byDay = [...Map.groupBy(slots, ({ slot_time }) => slot_time.slice(0, 10)).values()]
  return el('article', {}, [
    el('h2', {}, foreign(venue.name)),
    quiet(venue.street ?? venue.address?.street, venue.area, chosen.service),
    quiet(money(price ?? typical_spend), venue.is_demo && say().demo),
    confirm_mode === 'request' && quiet(say().byPerson),
    byDay.map((own, index) =>
      el('details', index < 2 ? { open: '' } : {}, [
        el('summary', {}, when(own[0].slot_time, DAY)),
        list(own.map((slot) => button(timeOf(slot, chosen), () => hold(slot)))),
      ]),
    ),
    byDay.length === 0 && line(say().none),
    quiet(note),
    button(say().more, more),
  ])
}

const timeOf = ({ slot_time, service: name }, { service }) =>
  foreign(when(slot_time, TIME), name && name !== service && nameOf({ name }))

/** What can be done with a booking in a status. */
const actions = {
  held: [['release', 'hold_slot', { action: 'release' }]],
  pending: [
    ['again', 'get_booking'],
    ['cancel', 'cancel_booking'],
  ],
  offered: [
    ['accept', 'answer_offer', { action: 'accept' }],
    ['refuse', 'answer_offer', { action: 'refuse' }],
  ],
  confirmed: [['cancel', 'cancel_booking']],
}

/** All but reading asks first; cancelling says what it costs now. */
function actionButton(booking, [name, tool, more]) {
  const { cancel, yes, no, [name]: label } = say()
  const text = name === 'cancel' ? cancel : { link: label, question: `${label}?`, yes, no }
  const args = { ...more, booking_id: booking.id }
  const act = () => go(tool, args)
  if (tool === 'get_booking') return button(label, act)
  return button(text.link, async () => {
    const reads = name === 'cancel' && host.can.serverTools
    const { cancellation, error } = reads ? await call('get_booking', args) : {}
    if (error) return go('get_booking', args)
    const lines = [line(aboutOf(booking)), cancellation && line(cancelRule(cancellation, booking))]
    question(text.question, lines, [[text.yes, act]], text.no)
  })
}

function bookingView({ booking, cancellation }) {
  const { status, venue, place, service, deposit, guest_url, typical_spend } = booking
  const { labels, minutes, deposit: deposits, calendar, page } = say()
  return [
    title(foreign(venue.name)),
    el('p', { class: toneOf(status) }, statusText(booking)),
    quiet(booking.reason),
    line(aboutOf(booking)),
    service && line(foreign(nameOf(service), fill(minutes, service), service.with?.join(', '))),
    typical_spend && line(`${labels.price}: `, foreign(money(typical_spend.text))),
    place && line(foreign(...Object.values(place.address ?? {}))),
    quiet(booking.is_demo && say().demo),
    deposit && line(foreign(fill(deposits[deposit.kind], { amount: deposit.text }))),
    status === 'held' ? bookForm(booking, cancellation) : chargeOf(booking),
    list(
      (actions[status] ?? []).map((action) => actionButton(booking, action)),
      status === 'confirmed' && button(calendar, () => saveCalendar(booking)),
      place && button(labels.directions, () => open(place.directions_url)),
      guest_url && button(page, () => open(guest_url)),
    ),
  ]
}

/** Asks for the guest of a hold, which may have one. It is no `form`: frames may forbid those. */
function bookForm(booking, cancellation) {
  const { yourName, contact: toReach, book } = say()
  const keydown = ({ key }) => key === 'Enter' && check()
  const name = el('input', { autocomplete: 'name', maxlength: '100', keydown })
  const contact = el('input', { autocomplete: 'email', maxlength: '200', keydown })
  name.required = before.length > 0
  const check = () => {
    if (!name.reportValidity()) return
    const to = contact.value.trim()
    const reach = to && (to.includes('@') ? { email: to } : { phone: to })
    const guest = name.value.trim() && { name: name.value.trim(), ...reach }
    const yes = () => go('confirm_booking', { hold_id: booking.id, ...(guest && { guest }) })
    const rule = cancellation && line(cancelRule(cancellation, booking))
    const lines = [line(aboutOf(booking)), chargeOf(booking), rule]
    question(say().bookQuestion, lines, [[say().yes, yes]])
  }
  return el('div', {}, [
    el('label', {}, `${yourName} `, name),
    el('label', {}, `${toReach} `, contact),
    line(button(book, check, { class: 'good' })),
  ])
}

/** Saves the calendar file through the host, or opens the booking's page, which has it. */
async function saveCalendar({ id, guest_url }) {
  const canSave = host.can.downloadFile && host.can.serverTools
  const input = { booking_id: id, action: 'calendar' }
  const file = canSave ? await call('get_booking', input) : {}
  show()
  if (!file.calendar) return open(guest_url)
  const resource = { uri: `file:///${file.file_name}`, mimeType: 'text/calendar' }
  const contents = [{ type: 'resource', resource: { ...resource, text: file.calendar } }]
  await host.tryRequest('ui/download-file', { contents })
}

/** A tap needs a sign-in, which a host begins only for a call of its model. */
const signInView = ({ tool, args }) => [
  title(tool === 'hold_slot' ? say().signInToHold : say().unauthenticated),
  line(say().signInHow),
  line(button(say().signIn, () => ask(tool, args), { class: 'good' })),
]

/** A refusal in the reader's words; sentences with fields in backticks are for models. */
function problemView({ error: { code, message = '', alternatives = [] } }) {
  const { tool, args } = shown
  if (code === 'unauthenticated') return signInView(shown)
  const plain = message.split(/(?<=[.!?]) /).filter((sentence) => !sentence.includes('`'))
  const groups = Map.groupBy(alternatives, ({ venue }) => venue.slug).values()
  return [
    title(say().problem),
    line(say()[code] ?? plain.join(' ')),
    line(button(say().ask, () => ask(tool, args))),
    [...groups].map((slots) =>
      venueView({ ...slots[0].venue, availability: { slots } }, args.party_size ?? 2),
    ),
  ]
}

const connected = connectHost({
  'tool-input': ({ arguments: args = {} }) => {
    shown = { ...shown, args }
  },
  'tool-result': async (result) => {
    host = await connected
    show({ tool: host.tool, args: shown.args, data: host.answerOf(result) })
  },
  'tool-cancelled': () => show({ ...shown, data: { error: {} } }),
  'host-context-changed': () => show(),
})
show()
