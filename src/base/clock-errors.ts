import { refusals } from './error-spec.ts'

/** Test clocks of sandboxes. */
export const clockErrors = {
  ...refusals(404, {
    clock_not_found:
      'No such test clock in this account. Use an `id` from `GET /api/test_clocks`. Live ' +
      'accounts and the default sandbox have none: their time is real.',
  }),
  ...refusals(409, {
    clock_advancing:
      'The clock is still moving. Repeat that request to wait for `advancing_to`, or read ' +
      'the clock until its `status` is `ready`.',
    clock_limit: 'Too many test clocks. Delete one that you no longer need, then try again.',
  }),
  ...refusals(422, {
    clock_backwards:
      'A test clock only moves forward. Send a `to` after its `now`, or create another clock.',
    clock_too_far:
      'The clock cannot move so far. Move it by at most two years at a time, and at most ten ' +
      'years ahead of the present.',
  }),
}
