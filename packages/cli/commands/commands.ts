import type { Command } from '../command.ts'
import { availability } from './availability.ts'
import { book } from './book.ts'
import { amendBooking, cancelBooking } from './bookings-change.ts'
import { bookingTimeline, listBookings, showOne } from './bookings-read.ts'
import { advanceClock, createClock, deleteClock, listClocks, showOneClock } from './clocks.ts'
import { completion } from './completion.ts'
import { listDeliveries, oneDelivery, retryDelivery } from './deliveries.ts'
import { activateSecret, rotateSecret } from './endpoint-secrets.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  verifyEndpoint,
} from './endpoint-state.ts'
import { addEndpoint, listEndpoints, showOneEndpoint, updateEndpoint } from './endpoints.ts'
import { listFees, showBalance } from './fees.ts'
import { confirmHold, extendHold, hold, releaseHold } from './holds.ts'
import { listInvoices, showInvoice } from './invoices.ts'
import { createKey, listKeys, revokeKey, rollKey } from './keys.ts'
import { listen } from './listen.ts'
import { login, logout } from './login.ts'
import { leaveCard, listPayments, payDue } from './payments.ts'
import { changePlan, showPlan, usage } from './plan.ts'
import { listReplays, replayEvents } from './replays.ts'
import { listRequests, showOneRequest } from './requests.ts'
import { search } from './search.ts'
import { testEndpoint } from './test-endpoint.ts'
import { cancelWatch, listWatches, showOneWatch, watch } from './watches.ts'
import { whoami } from './whoami.ts'

/** All commands; help and completion loop over this table. */
export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  search,
  availability,
  book,
  listBookings,
  showOne,
  amendBooking,
  cancelBooking,
  bookingTimeline,
  hold,
  confirmHold,
  extendHold,
  releaseHold,
  watch,
  listWatches,
  showOneWatch,
  cancelWatch,
  listEndpoints,
  addEndpoint,
  showOneEndpoint,
  updateEndpoint,
  verifyEndpoint,
  testEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  disableEndpoint,
  enableEndpoint,
  rotateSecret,
  activateSecret,
  deleteEndpoint,
  listDeliveries,
  oneDelivery,
  retryDelivery,
  replayEvents,
  listReplays,
  listRequests,
  showOneRequest,
  listKeys,
  createKey,
  rollKey,
  revokeKey,
  showPlan,
  changePlan,
  usage,
  listFees,
  showBalance,
  listInvoices,
  showInvoice,
  listPayments,
  payDue,
  leaveCard,
  listClocks,
  createClock,
  showOneClock,
  advanceClock,
  deleteClock,
  listen,
  completion,
]
