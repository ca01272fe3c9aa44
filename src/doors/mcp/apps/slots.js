const words = JSON.parse(document.getElementById('words').textContent)
const main = document.querySelector('main')
const notice = document.querySelector('[role=status]')
/** A tool, its input and its answer; and those that were shown before. */
let shown = { args: {} }
const before = []
let host

const say = () => words[document.documentElement.lang] ?? words.en
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

/** An element; text becomes text nodes, never HTML. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value)
    else node.setAttribute(name, value)
  }
  node.append(...children.flat(3).filter(Boolean))
  return node
}
/** Texts of venues, each isolated in its own direction of writing. */
const foreign = (...texts) =>
  texts.filter(Boolean).map((text, index) => [index > 0 && ' · ', el('bdi', {}, `${text}`)])
const quiet = (...texts) => texts.some(Boolean) && el('p', { class: 'quiet' }, foreign(...texts))
const line = (...children) => el('p', {}, children)
const title = (text) => el('h1', { tabindex: '-1' }, text)
const button = (label, click, more) => el('button', { type: 'button', click, ...more }, label)
const list = (...items) =>
  el(
    'ul',
    {},
    items.flat().map((item) => item && el('li', {}, item)),
  )

const DAY = { weekday: 'long', day: 'numeric', month: 'long' }
const TIME = { hour: '2-digit', minute: '2-digit' }
/** A local time at the venue, as in `Tuesday 1 December at 19:00`, or a part of it. */
const when = (local, parts = { ...DAY, ...TIME }) =>
  local &&
  new Date(`${local.slice(0, 16)}Z`).toLocaleString(say().locale, { ...parts, timeZone: 'UTC' })

/** An amount in the reader's words, as in `about IDR 290,000 per guest`. */
const money = (text) => text?.replace(/\b(?:about|per guest|for)\b/g, (part) => say()[part])

/** A tool's answer, which stands in its text as JSON. */
function answerOf({ content = [], structuredContent, isError }) {
  try {
    const answer = structuredContent ?? JSON.parse(content.find(({ text }) => text).text)
    return isError && !answer.error ? { error: answer } : answer
  } catch {
    return { error: {} }
  }
}

async function call(name, args) {
  for (const control of main.querySelectorAll('button, select, input')) control.disabled = true
  notice.textContent = say().loading
  const lost = { content: [{ text: '{"error":{"code":"lost"}}' }] }
  return answerOf(await host.request('tools/call', { name, arguments: args }).catch(() => lost))
}

/** Calls a tool and shows its answer. Where the host lets no view call tools, it asks the model. */
async function go(tool, args) {
  if (!host.can.serverTools) return ask(tool, args)
  const data = await call(tool, args)
  const isNext = data.error || (tool !== shown.tool && !shown.data.booking)
  if (isNext && !shown.data.error) before.push(shown)
  show({ tool, args, data }, true)
  const { id, status } = data.booking ?? {}
  if (!id || tool === 'get_booking') return
  const text = `The user called ${tool} in the view. Booking ${id} is ${status}; see get_booking.`
  host.request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => {})
}

/** Sends a request to the host, and says so if it was refused. */
const tryHost = async (method, params, instead = say().problem) => {
  const { isError } = await host.request(method, params).catch(() => ({ isError: true }))
  notice.textContent = isError ? instead : ''
  return !isError
}
const open = (url) => tryHost('ui/open-link', { url }, url)

/** Sends a call to the model as the user's message; texts of venues remain data, in JSON. */
async function ask(tool, args) {
  const text = `${say().please} ${tool} ${JSON.stringify(args)}`
  const message = { role: 'user', content: [{ type: 'text', text }] }
  if (await tryHost('ui/message', message)) notice.textContent = say().asked
}

function show(next = shown, isFocused = false) {
  shown = next
  const { data } = shown
  if (!data) return render([line(say().loading)])
  const view = data.error ? problemView : data.booking ? bookingView : listView
  const back = () => show(before.pop(), true)
  render([before.length > 0 && button(say().back, back), view(data)], isFocused)
}

function render(nodes, isFocused) {
  main.replaceChildren(...nodes.flat(3).filter(Boolean))
  main.onkeydown = null
  notice.textContent = ''
  if (isFocused) main.querySelector('h1').focus()
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
  const largest = Math.max(size, ...venues.map((one) => one.availability?.party_max ?? 0))
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
  const chosen = serviceIn(shown.args.service ? shown.args : book_with)
  const input = { venue: venue.slug, party_size, ...chosen }
  const hold = (slot) => {
    const { slot_time } = slot
    const args = { ...serviceIn(slot), ...input, slot_time }
    if (args.service || services.length < 2) return go('hold_slot', args)
    const choices = services.flatMap(({ name: service, minutes: lengths }) =>
      lengths.map((minutes) => [
        foreign(service, fill(say().minutes, { minutes })),
        () => go('hold_slot', { ...args, service, minutes }),
      ]),
    )
    question(say().choose, [line(foreign(venue.name, when(slot_time)))], choices)
  }
  const date = slots[0]?.slot_time.slice(0, 10)
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
        list(own.map((slot) => timeButton(slot, hold, chosen.service))),
      ]),
    ),
    byDay.length === 0 && line(say().none),
    quiet(note),
    shown.tool !== 'check_availability' && button(say().more, more),
  ])
}

const timeButton = (slot, hold, chosen) =>
  button(
    foreign(when(slot.slot_time, TIME), !chosen && slot.service && nameOf({ name: slot.service })),
    () => hold(slot),
  )

/** A service's name; those that the network gives by itself are in the reader's language. */
const nameOf = ({ name }) => say().plain[name] ?? name

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
    const { cancellation } = reads ? await call('get_booking', args) : {}
    const lines = [line(aboutOf(booking)), cancellation && line(cancelRule(cancellation, booking))]
    question(text.question, lines, [[text.yes, act]], text.no)
  })
}

const aboutOf = ({ venue, slot_time, offer, party_size: guests }) => {
  const { one, other } = say().party
  const party = fill(guests === 1 ? one : other, { guests })
  return foreign(venue.name, when(offer?.slot_time ?? slot_time), party)
}
const chargeOf = ({ status, fee }) =>
  fee.amount_minor > 0 && fee.status !== 'not_charged' && status !== 'cancelled'
    ? quiet(fill(say().fee, { amount: fee.text }))
    : ''

const tones = {
  confirmed: 'good',
  completed: 'good',
  held: 'wait',
  pending: 'wait',
  offered: 'wait',
  cancelled: 'quiet',
  released: 'quiet',
}

function bookingView({ booking, cancellation }) {
  const { status, venue, place, service, deposit, guest_url, typical_spend } = booking
  const { labels, minutes, deposit: deposits, calendar, page } = say()
  return [
    title(foreign(venue.name)),
    el('p', { class: tones[status] ?? 'bad' }, statusText(booking)),
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

function statusText({ status, hold_until_local, answer_by_local, cancelled_by }) {
  const { until, by, status: texts } = say()
  if (status === 'held') return fill(until, { until: when(hold_until_local) })
  const is = status === 'cancelled' && cancelled_by === 'venue' ? 'cancelled_by_venue' : status
  const answerBy = when(answer_by_local)
  return fill(texts[is] ?? texts.other, { by: answerBy && fill(by, { answerBy }) })
}

function cancelRule({ fee, free_until_local, text }, booking) {
  const { mail, rules } = say()
  if (fee === 'none') return mail.free
  const amount = fee === 'kept' ? text : booking.fee.text
  return fill(fee === 'kept' ? rules.kept : mail.rule, { until: when(free_until_local), amount })
}

/**
 * Asks for the guest of a hold; one that the model made may have its guest already. It is no
 * `form`, as frames may forbid those.
 */
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
    question(
      say().bookQuestion,
      [line(aboutOf(booking)), chargeOf(booking), rule],
      [[say().yes, yes]],
    )
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
  await tryHost('ui/download-file', { contents })
}

/** A refusal in the reader's words; sentences with fields in backticks are for models. */
function problemView({ error: { code, message = '', alternatives = [] } }) {
  const { tool, args } = shown
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

const connected = window.connectHost({
  'tool-input': ({ arguments: args = {} }) => {
    shown = { ...shown, args }
  },
  'tool-result': async (result) => {
    host = await connected
    show({ tool: host.tool, args: shown.args, data: answerOf(result) })
  },
  'tool-cancelled': () => show({ ...shown, data: { error: {} } }),
  'host-context-changed': () => show(),
})
show()
