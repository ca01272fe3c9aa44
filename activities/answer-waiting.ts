import type { ConfirmAnswer } from '../src/model/booking-messages.ts'
import { answerBegunCommands } from '../src/store/commands.ts'
import { updateRequestAnswer } from '../src/store/requests.ts'
import type { Db } from '../src/store/sql.ts'

/** Answers whoever waits for the booking to be decided: its request, or a command that its venue was to decide about. */
export async function answerWaiting(
  tx: Db,
  bookingId: string,
  answer: ConfirmAnswer,
): Promise<void> {
  await updateRequestAnswer(tx, bookingId, answer)
  await answerBegunCommands(tx, bookingId, answer)
}
