import { randomUUID } from 'node:crypto'
import { type Language, languages, wordsOf } from '../../base/languages.ts'
import type { VenuePeople } from '../../notices/operations/venue-people.ts'
import { PIN_DIGITS } from '../../notices/rules/pin.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { type StaffView, to, type VenueView } from './staff-document.ts'

/** A page about people: `path` is the address of its forms, in the language that was chosen. */
export type PeopleView = VenueView & { path: string }

/** A field for a PIN, which phones show a keyboard of digits for. */
const pinField = (label: string, isNew: boolean): Html => html`
<p class="field"><label for="pin">${label}</label>
<input id="pin" name="pin" type="${isNew ? 'text' : 'password'}" inputmode="numeric"
pattern="[0-9]{${PIN_DIGITS}}"
maxlength="${PIN_DIGITS}" required
autocomplete="${isNew ? 'new-password' : 'current-password'}"></p>`

/** The mail address at which a person agrees to be told, and their tick. */
const mailFields = (
  { words: { say } }: PeopleView,
  required: boolean,
  { mail: value = '', agree }: Partial<Joining> = {},
): readonly Html[] => [
  ui.field(say('people.mail'), { name: 'mail', type: 'email', maxlength: 254, required, value }),
  ui.checkbox(say('people.agree'), 'agree', 'yes', agree === 'yes'),
]

/** What a person who joins has typed so far. */
type Joining = { name: string; mail?: string | undefined; agree?: string | undefined }

/** The page of an invitation. */
export const joinView = (view: PeopleView, typed: Joining, sendsMail: boolean): Html => {
  const { say } = view.words
  return html`<p>${say('people.join.intro')}</p>
${ui.stackForm(
  view.path,
  say('people.join.submit'),
  [
    ui.field(say('people.name'), {
      name: 'name',
      value: typed.name,
      required: true,
      maxlength: 60,
    }),
    pinField(say('people.join.pin'), true),
    ...(sendsMail ? mailFields(view, false, typed) : []),
  ],
  'main',
)}`
}

type Who = { id: string; name: string; hasPin: boolean }

/** Asks who uses a device. */
export const whoView = (
  { words: { say }, path }: PeopleView,
  people: readonly Who[],
  next: string,
) => {
  const withPin = people.filter(({ hasPin }) => hasPin)
  const radio = ({ id, name }: Who) => html`<label class="check"><input type="radio" name="person"
value="${id}" required${withPin.length === 1 && html` checked`}> ${name}</label>`
  const fields = [
    html`<fieldset><legend>${say('people.name')}</legend>${withPin.map(radio)}</fieldset>`,
    pinField(say('people.who.pin'), false),
    ui.hidden('next', next),
  ]
  return html`${ui.stackForm(path, say('people.who.submit'), fields, 'main')}
${ui.note(say('people.who.note'))}`
}

/** Asks before something that cannot be undone. */
export const sureView = (
  { words: { say }, path }: PeopleView,
  act: SureAct,
  fields: Fields,
): Html =>
  html`<p>${say(`people.sure.${act}`)}</p>
${ui.confirmForm(path, say(`people.yes.${act}`), [path, say('people.back')], {
  more: hiddenFields({ ...fields, sure: 'yes' }),
})}`
export type SureAct = 'again' | 'remove' | 'end'
type Fields = Readonly<Record<string, string>>

const hiddenFields = (fields: Fields): Html =>
  html`${Object.entries(fields).map((pair) => ui.hidden(...pair))}`

type Person = VenuePeople['people'][number]
type Channel = Person['channels'][number]

/** The people and settings of a venue as one of its people sees them. */
export function peopleView(
  view: PeopleView & StaffView,
  { people, settings }: VenuePeople,
  { sendsMail, pushKey }: { sendsMail: boolean; pushKey: string | null },
): Html {
  const { words, path, venue } = view
  const { say } = words
  const isOwner = venue.person?.role === 'owner'
  const visible = people.filter(({ id }) => isOwner || id === venue.person?.id)
  const act = (name: keyof typeof acts, fields: Fields) =>
    ui.actionForm(path, say(acts[name]), {
      more: hiddenFields({ act: name, ...fields }),
    })

  const channel = ({ id, kind, address, ended_at, ended_reason }: Channel, index: number) => html`
<li><bdi>${say(`people.kinds.${kind}`)}${address && html` · ${address}`}</bdi>
${ended_at && html`<p class="quiet">${say(`people.ended.${reasonOf(ended_reason)}`)}</p>`}
${!ended_at && index > 0 && act('first', { channel: id })}
${!ended_at && act('end', { channel: id })}</li>`

  const person = ({ id, name, role, hasPin, channels }: Person) => html`
<section><h2>${name}</h2>
<p class="quiet">${say(`people.roles.${role}`)}${!hasPin && html` · ${say('people.invited')}`}</p>
${channels.every(({ ended_at }) => ended_at) && html`<p>${say('people.none')}</p>`}
<ol class="list">${channels.map(channel)}</ol>
${isOwner && html`${act('again', { person: id })}${act('remove', { person: id })}`}</section>`

  return html`
<p><a href="${to(view, '')}">${say('staff.all')}</a></p>
${ui.actionForm(to(view, '/leave'), say('people.leave'), {
  more: html`${say('people.signedIn', { name: venue.person?.name ?? '' })} `,
})}
${visible.map(person)}
${pushKey && html`<p>${ui.linkButton(to(view, '/push'), say('notices.push.button'), true)}</p>`}
${
  sendsMail &&
  html`<h2>${say('people.addMail')}</h2>${ui.stackForm(path, say('people.sendLink'), [
    ui.hidden('act', 'mail'),
    ...mailFields(view, true),
  ])}`
}
${isOwner && inviteForm(view)}
${isOwner && settingsForm(view, settings)}`
}

const acts = {
  again: 'people.acts.again',
  remove: 'people.acts.remove',
  end: 'people.acts.end',
  first: 'people.acts.first',
} as const

const reasons = ['stopped', 'wrong_number', 'recycled', 'gone', 'unsubscribed'] as const
const reasonOf = (reason: string | null) => reasons.find((one) => one === reason) ?? 'removed'

const inviteForm = ({ words: { say }, path }: PeopleView) => html`
<h2>${say('people.invite')}</h2>
${ui.stackForm(path, say('people.makeLink'), [
  ui.hidden('act', 'invite'),
  ui.hidden('person', randomUUID()),
  ui.field(say('people.colleague'), { name: 'name', required: true, maxlength: 60 }),
  ui.choice(say('people.role'), 'role', {
    staff: say('people.roles.staff'),
    owner: say('people.roles.owner'),
  }),
])}`

const named = (language: Language) => [language, wordsOf(language).say('name')] as const

const settingsForm = ({ words: { say }, path }: PeopleView, settings: VenuePeople['settings']) => {
  const { language, list_at, quiet_from, quiet_until } = settings
  const time = (name: string, label: string, value: string | null, hint?: string) =>
    ui.field(label, { name, type: 'time', value: value ?? '' }, hint)
  return html`<h2>${say('people.settings.title')}</h2>
${ui.stackForm(path, say('people.settings.save'), [
  ui.hidden('act', 'settings'),
  ui.choice(
    say('languages'),
    'language',
    Object.fromEntries(languages.map(named)),
    language ?? 'en',
  ),
  time('list_at', say('people.settings.listAt'), list_at),
  time('quiet_from', say('people.settings.quietFrom'), quiet_from, say('people.settings.quiet')),
  time('quiet_until', say('people.settings.quietUntil'), quiet_until),
])}`
}
