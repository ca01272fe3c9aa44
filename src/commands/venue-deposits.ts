import { type DepositRule, depositTerms } from '../availability/rules/deposit.ts'
import type { Rules } from '../availability/rules/rules.ts'
import { depositRules } from '../availability/schema/deposit.ts'
import { selectServicesOf } from '../availability/store/venue-services.ts'
import type { Options, OptionValues } from '../platform/command-line/command.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { type Pool, transaction } from '../platform/database/sql.ts'
import { changeServices } from '../venues/store/changed-venues.ts'
import { venueOf } from './connect-venue.ts'
import { defineOperatorCommand } from './operator-program.ts'

const NO_DATE = '2000-01-01'

const options = {
  amount: { kind: 'number', value: 'MINOR', about: 'Amount in minor units of its currency' },
  per: { kind: 'text', value: 'UNIT', about: 'guest (default) or party' },
  'party-min': { kind: 'number', value: 'N', about: 'For parties of N or more' },
  days: { kind: 'text', value: 'DAYS', about: 'On these days: 5,6 is Friday and Saturday' },
  from: { kind: 'text', value: 'HH:MM', about: 'From this local time of the day' },
  until: { kind: 'text', value: 'HH:MM', about: 'Until this local time of the day' },
  'kept-when': { kind: 'text', value: 'TEXT', about: 'When the venue keeps it' },
  'how-to-pay': { kind: 'text', value: 'TEXT', about: 'How the guest pays the venue' },
  guarantee: { kind: 'flag', about: 'A card that is charged only if it is kept' },
  none: { kind: 'flag', about: 'Remove all rules' },
} as const satisfies Options

export const deposit = defineOperatorCommand({
  words: 'deposit',
  summary: 'State the deposit or card guarantee that a venue asks its guests for, or none.',
  details:
    'Adds a rule ahead of the other rules of the venue; the first that fits a booking applies. ' +
    'Bookings keep the rules under which they were made. The network charges nothing: ' +
    'docs/operate/deposits.md.',
  args: { slug: { about: 'Slug of the venue, as search shows it' } },
  options,
  examples: [
    'deposit senja-table-ubud --amount 10000000 --party-min 6 --kept-when "no-show"',
    'deposit senja-table-ubud --none',
  ],
  run: ({ args, options, onDatabase, at }) =>
    onDatabase((db) => setDeposit(db, args.slug, depositFrom(options), at)),
})

/**
 * Adds a deposit rule to every service of a venue, ahead of its other rules, or removes all rules.
 * Existing bookings keep the rules under which they were made.
 */
export async function setDeposit(db: Pool, slug: string, rule: DepositRule | null, at: Date) {
  const venue = await venueOf(db, slug)
  const services = await selectServicesOf(db, venue.id, { from: NO_DATE, to: NO_DATE })
  const [first] = services
  if (!first) throw new Error(`${venue.name} has nothing that can be booked.`)
  const changes = services.map(({ id, rule_version, rules: { deposits = [], ...rules } }) => {
    const wanted = rule ? depositRules.safeParse([rule, ...deposits]) : undefined
    if (wanted?.error) throw new UsageError(wanted.error.issues[0]?.message ?? 'not a deposit')
    const next: Rules = wanted?.data ? { ...rules, deposits: wanted.data } : rules
    return { id, version: rule_version + 1, rules: next }
  })
  const nothing = { added: [], positions: [], addedResources: [], resources: [] }
  await transaction(db, (tx) => changeServices(tx, { ...nothing, rules: changes }, at))
  const texts = (changes[0]?.rules.deposits ?? []).map((one) => depositTerms(one, first.currency))
  if (texts.length === 0) return `${venue.name} asks for no deposit.`
  return [`${venue.name} asks for, the first that fits:`, ...texts].join('\n')
}

/** The rule that a command describes; null removes all rules. */
function depositFrom(values: OptionValues<typeof options>): DepositRule | null {
  const { amount, per = 'guest', days, from, until, guarantee, none = false } = values
  if ((amount === undefined) !== none) throw new UsageError('Give --amount or --none.')
  if (amount === undefined) return null
  if (per !== 'guest' && per !== 'party') throw new UsageError('--per must be guest or party.')
  const { 'party-min': party_min, 'kept-when': kept_when, 'how-to-pay': how_to_pay } = values
  return {
    kind: guarantee ? 'guarantee' : 'deposit',
    amount_minor: amount,
    per,
    ...(party_min !== undefined && { party_min }),
    ...(days !== undefined && { days: days.split(',').map(Number) }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(kept_when !== undefined && { kept_when }),
    ...(how_to_pay !== undefined && { how_to_pay }),
  }
}
