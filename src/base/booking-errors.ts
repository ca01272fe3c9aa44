import { refusals } from './error-spec.ts'

const ALTERNATIVES =
  '`alternatives` has like venues about that time (`other_venue`), then this venue that day ' +
  '(`same_day`), then other days (`other_day`). Ask your user before you book another day.'

/** Venues, bookings, itineraries and watches. */
export const bookingErrors = {
  ...refusals(403, {
    venue_link_invalid: 'This link is not valid. Ask the operator of the network for a new link.',
    guest_link_invalid:
      'This link is not valid, or has ended. Ask the agent that booked for you about the booking.',
  }),
  ...refusals(404, {
    venue_not_found:
      'No such venue. Use an `id` or `slug` from a search or from the list of venues.',
    booking_not_found:
      'No such booking in this account. Use the booking id returned by confirm, with a key of ' +
      'the same account.',
    itinerary_not_found:
      'No such itinerary in this account. Use the id that `POST /api/itineraries` returned, ' +
      'with a key of the same account.',
    watch_not_found:
      'No such watch in this account. Use the id returned when it was created, with a key of ' +
      'the same account.',
  }),
  ...refusals(409, {
    slot_unavailable:
      `The slot is taken. ${ALTERNATIVES} To be given this slot when it becomes free, join its ` +
      'waitlist: `watch` names the operation and its input.',
    slot_available: 'The slot is free. Book one of `slot_times` now instead of waiting.',
    watch_limit: 'Too many watches. Cancel one that you no longer need, then try again.',
    already_extended:
      'A hold can be extended only once. Confirm it before `hold_until`, or release it.',
    already_final:
      'The booking can no longer be changed like this. Nothing was changed. Read the booking to ' +
      'see its status.',
    booking_cancelled:
      'The booking was cancelled before the venue answered. Nothing was booked or changed, and ' +
      'nothing is charged.',
    not_decided_yet:
      'The venue has not decided yet. Wait until `answer_by`, then send this again as a new ' +
      'request, or cancel the booking.',
    amend_not_supported:
      'Bookings at this venue cannot be amended. Nothing was changed. Cancel this booking and ' +
      'make a new one.',
    too_many_changes:
      'The booking was changed too often. Keep it as it is, or cancel it and make a new one.',
    no_alternative_free:
      'None of the alternatives could be booked. Nothing is charged. See `choices` for why each ' +
      'one failed, then send other choices as a new request.',
    itinerary_not_possible:
      'Not all parts of the itinerary could be booked. Nothing was booked and nothing is ' +
      'charged. Replace the part that failed, if any, and send it as a new itinerary.',
    venue_answers_later:
      'A venue of the itinerary is confirmed by a person who cannot answer in time. Nothing was ' +
      'held. Send it again at `possible_from`, if that is given; or book that part alone first ' +
      'and the others once it is confirmed; or choose a venue that confirms at once ' +
      '(`confirm_mode` `auto`).',
    part_of_itinerary:
      'The booking is held for an itinerary. Wait until the itinerary confirms all of its ' +
      'bookings together, or cancel the itinerary.',
    duplicate_booking:
      'You already have this booking. Nothing new was made. Read the booking named in ' +
      '`booking_id`, or confirm the hold named in `hold_id`. For another guest, send that ' +
      'guest’s `guest_ref`, or an idempotency key of its own.',
    hold_expired:
      'The slot was held but not confirmed in time. Nothing was booked and nothing is charged. ' +
      'Send it again as a new request.',
    venue_declined:
      'The venue declined. Nothing was booked or changed, and nothing is charged. ' +
      `${ALTERNATIVES}`,
    venue_no_answer:
      'The venue did not answer in time. Nothing was booked or changed, and nothing is charged. ' +
      `${ALTERNATIVES} Or ask this venue again later.`,
    no_offer:
      'The venue has no open offer for this booking. Nothing was changed. Read the booking to ' +
      'see its status.',
    offer_expired:
      'The offer of the venue was not accepted in time. Nothing was booked and nothing is ' +
      `charged. ${ALTERNATIVES}`,
  }),
  ...refusals(
    409,
    {
      slot_held:
        'The slot is held, but the hold is about to end. Send it again as a new request after ' +
        `\`retry_after\` seconds. ${ALTERNATIVES}`,
      hold_limit:
        'Too many holds at the same time. Confirm or release one, or wait until one expires, ' +
        'then send it again as a new request.',
      booking_limit:
        'Too many live bookings. Cancel or release one, or wait until one is over, then send it ' +
        'again as a new request. The limit grows with every booking that is kept, and the ' +
        'operator of the network can raise it.',
      command_limit:
        'Too many commands for this booking. Read the booking to see its status, and repeat the ' +
        'request after `retry_after` seconds. Cancelling and releasing are counted apart.',
      itinerary_limit:
        'Too many itineraries in progress. Wait until one is booked or undone, or cancel one, ' +
        'then try again.',
    },
    true,
  ),
  ...refusals(429, {
    slot_given_back_too_often:
      'The account has given this slot back too often. Send it again as a new request at ' +
      '`until`, `retry_after` seconds from now, or book another slot.',
  }),
  ...refusals(422, {
    slot_time_has_offset:
      'slot_time must be local to the venue. Send it without `Z` or an offset, as in ' +
      '2026-12-24T19:00:00. The zone is in `timezone`.',
    slot_in_past: 'The slot has already started. Choose a later `slot_time`.',
    slot_off_grid:
      'No slot starts at this time. `alternatives` has the nearest times of that day first ' +
      '(`same_day`). Ask your user before you book another day (`other_day`).',
    venue_closed: `The venue is closed then. ${ALTERNATIVES}`,
    lead_time: 'Too short notice. Choose a `slot_time` at or after `earliest`.',
    beyond_horizon: 'Too far ahead. Choose a `slot_time` at or before `latest`.',
    party_too_small: 'The party is too small. Choose a `party_size` of at least `party_min`.',
    party_too_large:
      'The party is too large. Here `party_max` is the most: ask your user before you split the ' +
      'party, or search with `party_size` for venues that take it.',
  }),
}
