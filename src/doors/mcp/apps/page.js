const words = JSON.parse(document.getElementById('words').textContent)

/** The words of the reader's language. */
export const say = () => words[document.documentElement.lang] ?? words.en
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

/** An element; text becomes text nodes, never HTML. */
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value)
    else node.setAttribute(name, value)
  }
  node.append(...children.flat(3).filter(Boolean))
  return node
}
/** Texts of venues, each isolated in its own direction of writing. */
export const foreign = (...texts) =>
  texts.filter(Boolean).map((text, index) => [index > 0 && ' · ', el('bdi', {}, `${text}`)])
export const quiet = (...texts) =>
  texts.some(Boolean) && el('p', { class: 'quiet' }, foreign(...texts))
export const line = (...children) => el('p', {}, children)
export const title = (text) => el('h1', { tabindex: '-1' }, text)
export const button = (label, click, more) =>
  el('button', { type: 'button', click, ...more }, label)
const item = (one) => one && el('li', {}, one)
export const list = (...items) => el('ul', {}, items.flat().map(item))

export const DAY = { weekday: 'long', day: 'numeric', month: 'long' }
export const TIME = { hour: '2-digit', minute: '2-digit' }
/** A local time at the venue, as in `Tuesday 1 December at 19:00`, or a part of it. */
export const when = (local, parts = { ...DAY, ...TIME }) =>
  local &&
  new Date(`${local.slice(0, 16)}Z`).toLocaleString(say().locale, { ...parts, timeZone: 'UTC' })

/** An amount in the reader's words and digits, as in `about IDR 290,000 per guest`. */
export const money = (text) =>
  text
    ?.replace(/\b(?:about|per guest|for)\b/g, (part) => say()[part])
    .replace(/\d[\d,]*(?:\.\d+)?/g, (digits) => {
      const [, cents = ''] = digits.split('.')
      const places = { minimumFractionDigits: cents.length }
      return Number(digits.replaceAll(',', '')).toLocaleString(say().locale, places)
    })

/** A service's name; those that the network gives by itself are in the reader's language. */
export const nameOf = ({ name }) => (Object.hasOwn(say().plain, name) ? say().plain[name] : name)

/** Where, when and for how many a booking is. */
export const aboutOf = ({ venue, slot_time, offer, party_size: guests }) => {
  const { one, other } = say()
  const party = fill(guests === 1 ? one : other, { guests })
  return foreign(venue.name, when(offer?.slot_time ?? slot_time), party)
}

const feeWord = ({ charged_to: payer }) =>
  payer.startsWith('nobody') ? 'testFee' : payer.startsWith('your card') ? 'cardFee' : 'fee'

/** The fee of a booking, if there is one. */
export const chargeOf = ({ status, fee }) =>
  fee.amount_minor > 0 && fee.status !== 'not_charged' && status !== 'cancelled'
    ? quiet(fill(say()[feeWord(fee)], { amount: money(fee.text) }))
    : ''

const tones = {
  good: 'confirmed completed',
  wait: 'held pending offered',
  quiet: 'cancelled released',
}
export const toneOf = (status) =>
  Object.keys(tones).find((tone) => tones[tone].includes(status)) ?? 'bad'

/** The state of a booking, in a sentence. */
export function statusText({ status, fee, hold_until_local, answer_by_local, cancelled_by }) {
  const { until, by, status: texts } = say()
  if (status === 'held') return fill(until, { until: when(hold_until_local) })
  const isDemo = status === 'confirmed' && fee.charged_to === 'nobody: demo venue'
  const isByVenue = status === 'cancelled' && cancelled_by === 'venue'
  const is = isDemo ? 'demo' : isByVenue ? 'cancelled_by_venue' : status
  const answerBy = when(answer_by_local)
  return fill(texts[is] ?? texts.other, { by: answerBy && fill(by, { answerBy }) })
}

/** What cancelling a booking costs. */
export function cancelRule({ fee, free_until_local, text }, booking) {
  const { mail, cancelKept, cancelRule: rule } = say()
  if (fee === 'none') return mail.free
  const amount = money(fee === 'kept' ? text : booking.fee.text)
  return fill(fee === 'kept' ? cancelKept : rule, { until: when(free_until_local), amount })
}
