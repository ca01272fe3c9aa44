import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type DepositRule, depositFor } from '../../availability/rules/deposit.ts'
import { type FeeTerms, feeBase, priceOf } from '../../availability/rules/service-terms.ts'
import { shownPrice } from '../../availability/store/present-services.ts'
import { venuePlace } from '../../availability/store/venues.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { toInstantPastGap, utcOffset } from '../../base/local-time.ts'
import { money } from '../../base/money.ts'
import { defaultReminders } from '../../base/reminders.ts'
import { serviceKinds } from '../../base/venue-kinds.ts'
import { bookingPlace, bookingShape, withBookingTimes } from '../../contract/public.ts'
import { invoicedFee } from '../../ledger/store/fee-status.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { priceWords } from '../rules/price-words.ts'
import { feeTerms } from './bookings.ts'
import { feePayer } from './fee-payer.ts'

/** The session of the booking `k` by the rules `x`: one on its date, or else the weekly one. */
const ofSession = sql`from (select s from jsonb_array_elements(x.rules -> 'sessions') as s
  where s ->> 'start' = to_char(k.slot_time, 'HH24:MI')
    and (s ->> 'date' = k.slot_time::date::text
      or s ->> 'day' = extract(isodow from k.slot_time)::text)
  order by s ->> 'date' limit 1) as own where true`

/** The column `service` of a booking, to be parsed as `storedService`. */
export const serviceColumn = (id: Sql) => sql`
  (select json_build_object('id', o.id, 'name', o.name, 'kind', x.rules ->> 'kind',
      'terms', ${feeTerms(sql`x.rules`)},
      'minutes', extract(epoch from k.ends_at - k.starts_at) / 60,
      'session', (select s ->> 'name' ${ofSession}),
      'with', coalesce((select json_build_array(s -> 'with') ${ofSession} and s ? 'with'),
        (select json_agg(t.name order by t.name) from allocation a
        join resource t on t.id = a.resource_id
        where a.booking_id = k.id and not a.of_change and t.kind = x.rules ->> 'leader')))
    from booking k join service o on o.id = k.service_id
    join service_rules x on (x.service_id, x.version) = (k.service_id, k.rule_version)
    where k.id = ${id}) as service`

export const storedService = z.object({
  id: z.uuid(),
  name: z.string(),
  session: z.string().nullable(),
  kind: z.enum(serviceKinds).nullable(),
  minutes: z.number(),
  terms: z.custom<FeeTerms>(),
  with: z.array(z.string()).nullable(),
})

/** The booked service, with its price. */
export function presentBooked(
  { session, kind, terms, with: names, ...service }: z.infer<typeof storedService>,
  { currency, partySize }: Party,
): NonNullable<z.infer<typeof bookingShape>['service']> {
  const price = shownPrice(terms, service.minutes, currency)
  return {
    ...service,
    ...(session && { session }),
    ...(kind && { kind }),
    ...(price && { price: { ...price, total: priceWords(price, partySize) } }),
    ...(names && { with: names }),
  }
}

type Party = { currency: string; partySize: number }

/** What a party is expected to pay the venue, which is the base of the fee. */
function spendOf(
  { terms, minutes }: z.infer<typeof storedService>,
  { currency, partySize }: Party,
) {
  const { taxes, up_to_minor } = priceOf(terms, minutes) ?? {}
  const amount_minor = feeBase(terms, partySize, new Date(0), new Date(minutes * MINUTE_MS))
  const about = terms.price ? (up_to_minor === undefined ? '' : 'from ') : 'about '
  const plus = taxes === 'excluded' ? '++' : ''
  return { amount_minor, text: `${about}${money(amount_minor, currency)}${plus} for ${partySize}` }
}

/** The deposit rules of what a row of this name has booked or proposes. */
const depositsOf = (row: Sql) => sql`(select x.rules -> 'deposits' from service_rules x
  where (x.service_id, x.version) = (${row}.service_id, ${row}.rule_version))`

/** The columns of `booking_view` that `viewRow` reads. */
const viewColumns = sql`id, status, slot_time, timezone, starts_at, ends_at, party_size,
  json_build_object('id', venue_id, 'slug', venue_slug, 'name', venue_name) as venue,
  json_build_object('amount_minor', fee_amount_minor, 'currency', currency,
    'pct', coalesce(fee_pct, 0), 'charged_to', ${feePayer(sql`is_demo`, sql`paid_by`)},
    'status', case
      when is_demo and paid_by <> 'x402' and fee_status <> 'none' then 'not_charged'
      when fee_status = 'accrued' then coalesce(${invoicedFee(sql`booking_view.id`)}, fee_status)
      else fee_status end) as fee, is_demo,
  revision, reason_code, created_at, updated_at, confirm_mode, hold_until, answer_by, cancel_until,
  cancelled_by,
  case when cancelled_by = 'operator' then (
    select c.input ->> 'reason' from command c where c.booking_id = booking_view.id
      and c.kind = 'cancel' and c.input ->> 'by' = 'operator' order by c.created_at limit 1)
  end as reason,
  case when status = 'offered' then (
    select json_build_object('slot_time', o.slot_time, 'starts_at', o.starts_at,
      'ends_at', o.ends_at, 'answer_by', booking_view.answer_by, 'deposits', ${depositsOf(sql`o`)})
    from venue_offer o where o.booking_id = booking_view.id) end as offer,
  case when status = 'confirmed' and confirm_mode <> 'auto' then (
    select json_build_object('slot_time', c.slot_time, 'starts_at', c.starts_at,
      'ends_at', c.ends_at, 'party_size', c.party_size, 'answer_by', b.answer_by,
      'deposits', ${depositsOf(sql`c`)})
    from booking_change c join booking b on b.id = c.booking_id
    where c.booking_id = booking_view.id) end as change,
  (select ${depositsOf(sql`b`)} from booking b where b.id = booking_view.id) as deposits,
  ${serviceColumn(sql`booking_view.id`)},
  (select group_id from group_member where booking_id = booking_view.id) as group_id,
  (select reminders from request where booking_id = booking_view.id) as reminders`

/** Converts a timestamptz inside a JSON column to an ISO string. */
export const jsonTime = z.coerce.date().transform((at) => at.toISOString())

const proposal = z.object({
  slot_time: z.string(),
  starts_at: jsonTime,
  ends_at: jsonTime,
  answer_by: jsonTime,
  answer_by_local: z.string().nullable().default(null),
  deposits: z.custom<DepositRule[]>().nullable(),
})

const derived = { utc_offset: true, deposit: true, service: true, typical_spend: true } as const
const row = bookingShape.omit(derived).extend({
  service: storedService.nullable(),
  is_demo: z.boolean(),
  /** null before the booking holds anything */
  starts_at: isoTime.nullable(),
  ends_at: isoTime.nullable(),
  hold_until: isoTime.nullable(),
  answer_by: isoTime.nullable(),
  cancel_until: isoTime.nullable(),
  created_at: isoTime,
  updated_at: isoTime,
  offer: proposal.extend({ ask_user_first: z.literal(true).default(true) }).nullable(),
  change: proposal.extend({ party_size: z.int() }).nullable(),
  reason: z
    .string()
    .nullable()
    .transform((text) => text ?? undefined)
    .optional(),
  reminders: z.array(z.int()).nullable(),
  /** the rules of the service at the time of booking */
  deposits: z.custom<DepositRule[]>().nullable(),
})

const complete = <R extends z.infer<typeof row>>({
  reminders,
  deposits,
  service,
  is_demo,
  offer,
  change,
  ...fields
}: R) => {
  const { timezone, slot_time } = fields
  const party = { partySize: fields.party_size, currency: fields.fee.currency }
  const ifAny: Pick<z.infer<typeof bookingShape>, 'typical_spend' | 'is_demo'> = {
    ...(service && { typical_spend: spendOf(service, party) }),
    ...(is_demo && { is_demo }),
  }
  const starts_at = fields.starts_at ?? toInstantPastGap(timezone, slot_time).toISOString()
  return withBookingTimes({
    ...fields,
    offer: offer && withDeposit(offer, party),
    change: change && withDeposit(change, { ...party, partySize: change.party_size }),
    starts_at,
    service: service && presentBooked(service, party),
    ...ifAny,
    deposit: depositFor(deposits, { slotTime: slot_time, ...party }),
    utc_offset: utcOffset(timezone, new Date(starts_at)),
    reminders: reminders ?? [...defaultReminders],
  })
}

const withDeposit = <P extends z.infer<typeof proposal>>(
  { deposits, ...time }: P,
  party: Party,
) => ({
  ...time,
  deposit: depositFor(deposits, { slotTime: time.slot_time, ...party }),
})

/** Parses a row as a public booking. */
const viewRow = row.transform(complete)

const own = z.object({
  guest_ref: z.string().nullable(),
  guest_mails: z.boolean(),
  place: bookingPlace,
})

/** Parses a row with `ownColumns` as the account's view of a booking, without links. */
export const ownRow = row.extend(own.shape).transform(complete)
export type StoredBooking = z.output<typeof ownRow>
const ownOnly = (id: Sql) => sql`
  (select guest_ref from request where booking_id = ${id}) as guest_ref,
  exists (select from booking_guest where booking_id = ${id} and notify) as guest_mails,
  (select ${venuePlace} from request r join venue v on v.id = r.venue_id
    where r.booking_id = ${id}) as place`
export const ownColumns = sql`${viewColumns}, ${ownOnly(sql`booking_view.id`)}`

/** The public booking, available as soon as its request is stored. */
export const selectBooking = (db: Db, id: string) =>
  query.row(db, viewRow)`select ${viewColumns} from booking_view where id = ${id}`

/** A booking as its account sees it, available as soon as its request is stored. */
export const selectOwnBooking = (db: Db, id: string) =>
  query.row(db, ownRow)`select ${ownColumns} from booking_view where id = ${id}`

/** The fields that only a booking's account sees. */
export const selectOwnFields = (db: Db, id: string) =>
  query.row(db, own)`select ${ownOnly(sql`${id}::uuid`)}`

/** A booking as its account sees it; undefined if it belongs to another account. */
export const selectOptionalBookingOf = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, ownRow)`
    select ${ownColumns} from booking_view where id = ${id} and account_id = ${accountId}`
