import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { defineTool, helpOption, runProgram } from '../../src/platform/command-line/run-program.ts'
import { checkDoors } from './doors.ts'
import { overlong } from './lines.ts'
import { lockingMigrations } from './migrations.ts'
import { checkRooms } from './rooms.ts'
import { writeSchema } from './schema.ts'
import { sinceRelease } from './since-release.ts'
import { ambiguousTypes } from './type-names.ts'

const check = defineTool({
  words: '',
  summary: 'Check types, format, lint, unused code, and the API against its committed description.',
  options: {
    write: { kind: 'flag', about: 'Format, and update openapi.json, intents.json and schema.sql' },
    breaking: { kind: 'flag', about: 'With --write: update even for breaking changes' },
  },
  examples: ['', '--write', '--write --breaking'],
  async run({ options: { write, breaking } }) {
    if (write) await writeSchema()
    const doors = checkDoors({ write, breaking })
    const { problems: sinceThen, note } = sinceRelease(resolve(import.meta.dirname, '../..'))
    const problems = await Promise.all([
      failureOf('tsc'),
      failureOf('biome', 'check', ...(write ? ['--write'] : []), '.'),
      failureOf('knip', '--no-progress'),
      checkRooms(),
      doors.join('\n'),
      sinceThen.join('\n'),
      overlong(),
      lockingMigrations(),
      ambiguousTypes(),
    ])
    const failures = problems.filter(Boolean)
    if (failures.length > 0) throw new Error(failures.join('\n'))
    return note
  },
})

await runProgram(
  { name: 'npm run check --', about: check.summary, commands: [check], options: helpOption },
  {},
)

/** The output of a failing program; empty if it succeeds. */
function failureOf(program: string, ...args: string[]): Promise<string> {
  return new Promise((done) => {
    execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      done(error ? `${stdout}${stderr}` || error.message : '')
    })
  })
}
