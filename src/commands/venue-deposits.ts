import { type DepositRule, depositTerms } from '../availability/rules/deposit.ts'
import type { Rules } from '../availability/rules/rules.ts'
import { depositRules } from '../availability/schema/deposit.ts'
import { selectServicesOf } from '../availability/store/venue-services.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { type Pool, transaction } from '../platform/database/sql.ts'
import { changeServices } from '../venues/store/changed-venues.ts'
import { venueOf } from './connect-venue.ts'

const NO_DATE = '2000-01-01'

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

type DepositOptions = {
  amount?: number | undefined
  per?: string | undefined
  'party-min'?: number | undefined
  days?: string | undefined
  from?: string | undefined
  until?: string | undefined
  'kept-when'?: string | undefined
  'how-to-pay'?: string | undefined
  guarantee?: boolean | undefined
  none?: boolean | undefined
}

/** The rule that a command describes; null removes all rules. */
export function depositFrom(options: DepositOptions): DepositRule | null {
  const { amount, per = 'guest', days, from, until, guarantee, none = false } = options
  if ((amount === undefined) !== none) throw new UsageError('Give --amount or --none.')
  if (amount === undefined) return null
  if (per !== 'guest' && per !== 'party') throw new UsageError('--per must be guest or party.')
  const { 'party-min': party_min, 'kept-when': kept_when, 'how-to-pay': how_to_pay } = options
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
