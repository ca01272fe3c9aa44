import type { depositKinds, depositUnits } from '../../base/deposits.ts'
import { clockOn, dateOf, weekdayOf } from '../../base/local-time.ts'
import { money } from '../../base/money.ts'

export const MAX_DEPOSIT_RULES = 10

/**
 * When a venue asks for a deposit: for parties of at least this size, on these ISO weekdays,
 * between these local times of day (`until` excluded). The first matching rule applies.
 */
export type DepositRule = {
  kind: (typeof depositKinds)[number]
  amount_minor: number
  per: (typeof depositUnits)[number]
  party_min?: number | undefined
  days?: number[] | undefined
  from?: string | undefined
  until?: string | undefined
  /** in the venue's words: when it keeps the deposit, and how the guest pays it */
  kept_when?: string | undefined
  how_to_pay?: string | undefined
}

/** The rules that match a time, for a party of any size. */
export const depositsAt = (rules: readonly DepositRule[] = [], slotTime: string): DepositRule[] =>
  rules.filter(({ days, from = '00:00', until = '24:00' }) => {
    const date = dateOf(slotTime)
    const isDay = days === undefined || days.includes(weekdayOf(date))
    return isDay && clockOn(date, from) <= slotTime && slotTime < clockOn(date, until)
  })

/** The deposit for a booking; `amount_minor` is for the whole party. */
export type StatedDeposit = Pick<
  DepositRule,
  'kind' | 'amount_minor' | 'kept_when' | 'how_to_pay'
> & { text: string; currency: string }

/** The deposit for a party at a time, as every door shows it; null if there is none. */
export function depositFor(
  rules: readonly DepositRule[] | null | undefined,
  { slotTime, partySize, currency }: { slotTime: string; partySize: number; currency: string },
): StatedDeposit | null {
  const rule = depositsAt(rules ?? [], slotTime).find(({ party_min = 1 }) => partySize >= party_min)
  if (!rule) return null
  const amount_minor = rule.per === 'guest' ? rule.amount_minor * partySize : rule.amount_minor
  return { ...statedOf(rule), amount_minor, text: money(amount_minor, currency), currency }
}

/** Tells an agent what the venue asks for. */
export const depositNote = ({ kind, text }: StatedDeposit): string => {
  const what = kind === 'guarantee' ? `${text}, of which nothing is taken now` : text
  return `The venue, not the network, asks its guest for a ${kind} of ${what}: tell your user.`
}

const statedOf = ({ kind, kept_when, how_to_pay }: DepositRule) => ({
  kind,
  ...(kept_when !== undefined && { kept_when }),
  ...(how_to_pay !== undefined && { how_to_pay }),
})

const DAYS = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** A rule as text: `IDR 100,000 per guest for 6 guests or more on Fri, Sat from 18:00`. */
function depositText(rule: DepositRule, currency: string): string {
  const { kind, amount_minor, per, party_min = 1, days, from, until } = rule
  return [
    `${kind === 'deposit' ? 'Deposit' : 'Guarantee'} of ${money(amount_minor, currency)}`,
    per === 'guest' ? 'per guest' : 'per booking',
    party_min > 1 && `for ${party_min} guests or more`,
    days && `on ${days.map((day) => DAYS[day]).join(', ')}`,
    from && `from ${from}`,
    until && `until ${until}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The same text with the venue's words on keeping and paying the deposit. */
export const depositTerms = (rule: DepositRule, currency: string): string =>
  [
    depositText(rule, currency),
    rule.kept_when && `Kept: ${rule.kept_when}`,
    rule.how_to_pay && `How to pay: ${rule.how_to_pay}`,
  ]
    .filter(Boolean)
    .join('. ')

/** A rule as a slot shows it. */
export const shownDeposit = (rule: DepositRule, currency: string) => ({
  ...statedOf(rule),
  per: rule.per,
  amount_minor: rule.amount_minor,
  text: depositText(rule, currency),
  currency,
  party_min: rule.party_min ?? 1,
})
