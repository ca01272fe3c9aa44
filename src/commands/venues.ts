import { runOperatorProgram } from './operator-program.ts'
import { venueProgram } from './venue-program.ts'

await runOperatorProgram(venueProgram)
