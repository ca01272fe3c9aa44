import { type depositKinds, type depositUnits, KEPT_IF } from '../../contract/rules/deposits.ts'
import { clockOn, dateOf, weekdayOf } from '../../contract/rules/local-time.ts'
import { money } from '../../contract/rules/money.ts'

export const MOST_DEPOSIT_RULES = 10

/**
 * When a venue asks for a deposit: for parties of this size or more, on these ISO weekdays, from
 * and until these local times of the day (`until` itself not included). The first that fits counts.
 */
export type DepositRule = {
  kind: (typeof depositKinds)[number]
  amount_minor: number
  per: (typeof depositUnits)[number]
  party_min?: number | undefined
  days?: number[] | undefined
  from?: string | undefined
  until?: string | undefined
}

/** What one booking owes as a deposit; `amount_minor` for the whole party. */
export type DepositTerms = Pick<DepositRule, 'kind' | 'amount_minor' | 'per'>

/** The rules that fit a time, whatever the party. */
export const depositsAt = (rules: readonly DepositRule[] = [], slotTime: string): DepositRule[] =>
  rules.filter(({ days, from = '00:00', until = '24:00' }) => {
    const date = dateOf(slotTime)
    const isDay = days === undefined || days.includes(weekdayOf(date))
    return isDay && clockOn(date, from) <= slotTime && slotTime < clockOn(date, until)
  })

/** What a party owes at a time; null for nothing. */
export function depositFor(
  rules: readonly DepositRule[] | undefined,
  slotTime: string,
  partySize: number,
): DepositTerms | null {
  const rule = depositsAt(rules, slotTime).find(({ party_min = 1 }) => partySize >= party_min)
  if (!rule) return null
  const { kind, per, amount_minor } = rule
  return { kind, per, amount_minor: per === 'guest' ? amount_minor * partySize : amount_minor }
}

const DAYS = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** A rule in words: `IDR 100,000 per guest for 6 guests or more on Fri, Sat from 18:00`. */
export function depositText(rule: DepositRule, currency: string): string {
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

/** A rule as a slot shows it. */
export const shownDeposit = (rule: DepositRule, currency: string) => ({
  kind: rule.kind,
  amount_minor: rule.amount_minor,
  text: depositText(rule, currency),
  currency,
  per: rule.per,
  party_min: rule.party_min ?? 1,
  kept_if: KEPT_IF,
})
