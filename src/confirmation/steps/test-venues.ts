import type { DueNotice } from '../store/venue-notices.ts'
import type { VenueRequest } from '../store/venue-requests.ts'
import type { VenueAnswer } from './venue-call.ts'
import type { VenueMessageType } from './venue-messages.ts'

/** Answers on behalf of test venues, so that nothing leaves the network. */
export type TestVenues = {
  /** The answer of the venue's system to a message about a booking. */
  answer(request: VenueRequest, message: VenueMessageType, at: Date): Promise<VenueAnswer>
  /** Notifies the people at the venue, who may answer. */
  notify(notice: DueNotice, at: Date): Promise<void>
}
