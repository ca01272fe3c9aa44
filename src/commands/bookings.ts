import { bookingProgram } from './booking-program.ts'
import { runOperatorProgram } from './operator-program.ts'

await runOperatorProgram(bookingProgram)
