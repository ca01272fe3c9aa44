import { keyProgram } from './key-commands.ts'
import { runOperatorProgram } from './operator-program.ts'

await runOperatorProgram(keyProgram)
