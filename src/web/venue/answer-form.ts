import { randomUUID } from 'node:crypto'
import type { DecidedStatus } from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { type Html, html } from '../page/html.ts'

/** A form that submits this answer to the revision of the booking that the page shows. */
export const answerForm = (
  action: string,
  { asked_revision }: VenueBooking,
  status: DecidedStatus,
  button: string,
  more: Html = html``,
): Html => html`
<form method="post" action="${action}">
<input type="hidden" name="form" value="${randomUUID()}">
<input type="hidden" name="revision" value="${asked_revision}">
<input type="hidden" name="said" value="${status}">
${more}<button>${button}</button></form>`
