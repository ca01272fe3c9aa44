import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { languages } from '../base/languages.ts'
import { openSealer } from '../compose/open-sealer.ts'
import type { Config } from '../config/config.ts'
import { readVenuePeople } from '../notices/operations/venue-people.ts'
import type { ChannelKind } from '../notices/rules/channel.ts'
import { INVITATION_DAYS, invitationUrl } from '../notices/rules/person-link.ts'
import { addChannel } from '../notices/steps/add-channel.ts'
import * as change from '../notices/steps/change-people.ts'
import { selectNoticeSettings } from '../notices/store/notice-settings.ts'
import { selectChanges } from '../notices/store/person-changes.ts'
import { selectVenuesWithoutChannel } from '../notices/store/venues-without-channel.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { type Db, type Pool, transaction } from '../platform/database/sql.ts'
import { readPhone } from '../venues/import/phone.ts'
import { requireSharedKey, venueOf } from './connect-venue.ts'
import { exampleId, idFrom } from './ids.ts'
import { noChannelWarning } from './no-channel-warning.ts'
import { defineOperatorCommand } from './operator-program.ts'
import { addressOfPages } from './venue-people.ts'

const slug = { about: 'Slug of the venue, as search shows it' }
const person = {
  kind: 'text',
  value: 'ID',
  about: 'Id of the person, as `people` shows it',
} as const

const operatorAt = (venueId: string) => ({ venueId, personId: 'operator' }) as const

export const invite = defineOperatorCommand({
  words: 'invite',
  summary: 'Invite a person to a venue, or again with --person; the link is on the last line.',
  details: `The link works once, for ${INVITATION_DAYS} days. Inviting again ends their PIN.`,
  args: { slug },
  options: {
    name: { kind: 'text', value: 'NAME', about: 'Name of the person' },
    role: {
      kind: 'text',
      value: 'ROLE',
      about: 'Role; by default staff',
      choices: ['owner', 'staff'],
    },
    person,
  },
  examples: ['invite senja-table-ubud --name Wayan --role owner'],
  run: ({ args, options: { name, role = 'staff', person }, onDatabase, at }) =>
    onDatabase(async (db, config) => {
      if ((name === undefined) === (person === undefined)) {
        throw new UsageError('invite needs --name, or --person for one who was invited before.')
      }
      requireSharedKey(config)
      const venue = await venueOf(db, args.slug)
      const invitee = person
        ? { id: idFrom(person, '--person') }
        : { id: randomUUID(), name: nameFrom(name), role: role as 'owner' | 'staff' }
      const id = await change.invitePerson(db, operatorAt(venue.id), invitee, at)
      const sealer = await openSealer(config, db)
      return [
        `${name ?? 'This person'} (${invitee.id}) joins ${venue.name} with this link, once:`,
        ...(await noChannelWarning(db, args.slug)),
        invitationUrl(sealer, addressOfPages(config), id),
      ].join('\n')
    }),
})

export const listPeople = defineOperatorCommand({
  words: 'people',
  summary: 'List the people of a venue with their channels, or the venues that nobody is told for.',
  args: { slug: { ...slug, optional: true } },
  examples: ['people senja-table-ubud', 'people'],
  run: ({ args, onDatabase }) =>
    onDatabase((db, config) =>
      args.slug ? peopleTable(db, config, args.slug) : withoutChannelTable(db),
    ),
})

export const removePerson = defineOperatorCommand({
  words: 'remove-person',
  summary: 'Remove a person from a venue: they are signed out and told of nothing more, at once.',
  args: { slug, person: { about: person.about } },
  examples: [`remove-person senja-table-ubud ${exampleId}`],
  run: ({ args, onDatabase, at }) =>
    onDatabase(async (db) => {
      const venue = await venueOf(db, args.slug)
      const id = idFrom(args.person, 'remove-person')
      const { name, isOpenAgain } = await change.removeFromVenue(db, operatorAt(venue.id), id, at)
      return [
        `${name} is no longer at ${venue.name}.`,
        ...(isOpenAgain
          ? ['Nobody there has a PIN now, so all links to its page have ended: `link` makes one.']
          : []),
        ...(await noChannelWarning(db, args.slug)),
      ].join('\n')
    }),
})

export const addTheirChannel = defineOperatorCommand({
  words: 'add-channel',
  summary: 'Tell a person of requests at an address; they have agreed to that.',
  details:
    'You state that the person has agreed to be told there; that is recorded. Channels are tried ' +
    'in the order in which they were added. A signed POST has its own command: `contact`.',
  args: { slug },
  options: {
    person: { ...person, required: true },
    mail: { kind: 'text', value: 'ADDRESS', about: 'Their email address' },
    whatsapp: { kind: 'text', value: 'NUMBER', about: 'Their number, with its country code' },
  },
  examples: [`add-channel senja-table-ubud --person ${exampleId} --whatsapp "+62 812 3456 7890"`],
  run: ({ args, options: { person, ...addresses }, onDatabase, at }) =>
    onDatabase(async (db, config) => {
      requireSharedKey(config)
      const venue = await venueOf(db, args.slug)
      const channel = {
        venueId: venue.id,
        personId: idFrom(person, '--person'),
        ...oneOf(addresses),
      }
      const sealer = await openSealer(config, db)
      await transaction(db, (tx) => addChannel(tx, sealer, channel, 'operator', at))
      return `${await peopleTable(db, config, args.slug)}\nRecorded: you say that they agreed.`
    }),
})

export const endTheirChannel = defineOperatorCommand({
  words: 'end-channel',
  summary: 'Tell a person nothing more at an address.',
  args: { slug, channel: { about: 'Id of the channel, as `people` shows it' } },
  examples: [`end-channel senja-table-ubud ${exampleId}`],
  run: ({ args, onDatabase, at }) =>
    onDatabase(async (db) => {
      const venue = await venueOf(db, args.slug)
      const channelId = idFrom(args.channel, 'end-channel')
      const ending = { channelId, change: 'end' } as const
      await change.changeChannel(db, operatorAt(venue.id), ending, at)
      return ['The channel has ended.', ...(await noChannelWarning(db, args.slug))].join('\n')
    }),
})

export const notify = defineOperatorCommand({
  words: 'notify',
  summary: "Set a venue's language, quiet hours and the time of the list of the next day.",
  args: { slug },
  options: {
    language: { kind: 'text', value: 'CODE', about: 'Its language', choices: languages },
    quiet: { kind: 'text', value: 'FROM-UNTIL', about: 'When only requests are sent, or none' },
    'list-at': { kind: 'text', value: 'HH:MM', about: 'When the list is sent, or none' },
  },
  examples: ['notify senja-table-ubud --language id --quiet 22:00-08:00 --list-at 20:00'],
  run: ({ args, options, onDatabase, at }) =>
    onDatabase(async (db) => {
      const venue = await venueOf(db, args.slug)
      const { language, quiet, 'list-at': listAt } = options
      const settings = await selectNoticeSettings(db, venue.id)
      if (language) settings.language = z.enum(languages).parse(language)
      if (listAt) settings.list_at = timeFrom(listAt, '--list-at')
      if (quiet) {
        const [from = '', until = from] = quiet.split('-')
        settings.quiet_from = timeFrom(from, '--quiet')
        settings.quiet_until = timeFrom(until, '--quiet')
      }
      await change.changeNoticeSettings(db, operatorAt(venue.id), settings, at)
      const hours = settings.quiet_from && `${settings.quiet_from} to ${settings.quiet_until}`
      return [
        `${venue.name}: language ${settings.language ?? 'en'}, quiet hours ${hours ?? 'none'},`,
        `list of the next day ${settings.list_at ? `at ${settings.list_at}` : 'none'}.`,
      ].join(' ')
    }),
})

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

function timeFrom(text: string, option: string): string | null {
  if (text === 'none') return null
  const { data } = time.safeParse(text)
  if (!data) throw new UsageError(`${option} takes local times, as in 22:00, or none.`)
  return data
}

function nameFrom(name = ''): string {
  const trimmed = name.trim()
  if (trimmed.length > 0 && trimmed.length <= 60) return trimmed
  throw new UsageError('--name takes 1 to 60 characters.')
}

/** The one address that a command names. */
function oneOf({ mail, whatsapp }: { mail?: string | undefined; whatsapp?: string | undefined }) {
  if ((mail === undefined) === (whatsapp === undefined)) {
    throw new UsageError('add-channel needs --mail or --whatsapp.')
  }
  if (mail !== undefined) {
    const { data } = z.email().max(254).safeParse(mail)
    if (!data) throw new UsageError('--mail takes an email address.')
    return { kind: 'mail' as ChannelKind, address: data }
  }
  const number = readPhone(whatsapp ?? '', '')
  if ('problem' in number)
    throw new UsageError(`--whatsapp takes a number such as +62 812 3456 7890.`)
  return { kind: 'whatsapp' as ChannelKind, address: number.value }
}

async function peopleTable(db: Pool, config: Config, slug: string): Promise<string> {
  const venue = await venueOf(db, slug)
  const sealer = await openSealer(config, db)
  const { people } = await readVenuePeople(db, sealer, venue.id)
  if (people.length === 0)
    return `Nobody is at ${venue.name}: \`npm run venues -- invite ${slug}\`.`
  const rows = people.flatMap(({ id, name, role, hasPin, channels }) => [
    [id, name, role, hasPin ? 'has a PIN' : 'has no PIN'],
    ...channels.map(({ id, kind, address, ended_at, ended_reason }) => [
      `  ${id}`,
      `  ${kind} ${address}`,
      '',
      ended_at ? `${ended_reason}, ${ended_at.toISOString().slice(0, 16)}Z` : 'used',
    ]),
  ])
  const changes = (await selectChanges(db, venue.id)).map(({ at, action, actor, person }) =>
    [at.toISOString(), action, person ?? '-', `by ${actor ?? 'an operator'}`].join('  '),
  )
  return [
    plainTable(['PERSON, CHANNELS', 'NAME', 'ROLE', 'STATE'], rows),
    ...(await noChannelWarning(db, slug)),
    '',
    ...changes.slice(0, MAX_CHANGES),
  ].join('\n')
}

const MAX_CHANGES = 10

async function withoutChannelTable(db: Db): Promise<string> {
  const venues = await selectVenuesWithoutChannel(db)
  if (venues.length === 0)
    return 'Somebody is told of requests at every venue where people confirm.'
  const rows = venues.map(({ slug, name, people }) => [slug, name, `${people}`])
  return [
    'Nobody is told of requests at these venues:',
    plainTable(['VENUE', 'NAME', 'PEOPLE'], rows),
  ].join('\n')
}
