import { execFile } from 'node:child_process'
import { parseArgs } from 'node:util'
import { checkDoors } from './doors.ts'
import { writeSchema } from './schema.ts'

const usage = `Types, format, lint, unused code, and the API against what is committed of it.

  npm run check                         says what is wrong, and changes nothing
  npm run check -- --write              formats, and records openapi.json, intents.json and schema.sql
  npm run check -- --write --breaking   the same where callers would break`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    write: { type: 'boolean', default: false },
    breaking: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}

if (values.write) await writeSchema()
const problems = await Promise.all([
  run('tsc'),
  run('biome', 'check', ...(values.write ? ['--write'] : []), '.'),
  checkDoors(values).join('\n'),
])
for (const problem of problems.filter(Boolean)) console.error(problem)
process.exitCode = problems.some(Boolean) ? 1 : 0

/** What a program of a package has to say when it fails. */
function run(program: string, ...args: string[]): Promise<string> {
  return new Promise((done) => {
    execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      done(error ? `${stdout}${stderr}` || error.message : '')
    })
  })
}
