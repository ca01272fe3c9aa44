import { UsageError } from '../../src/platform/command-line/usage-error.ts'
import { Stopped } from './events/follow-events.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { type Problem, Refused, Unreachable } from './network/failures.ts'
import { depositText } from './screen/deposit.ts'
import { jsonText } from './screen/json-text.ts'
import { printable } from './screen/printable.ts'
import { screenOf } from './screen/screen.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal/terminal.ts'

type ReportOptions = { isJson: boolean; settings: Settings; terminal: Terminal }

/** Reports an error on stderr and returns the exit code. `--json` prints a refusal on stdout. */
export function report(error: unknown, { isJson, settings, terminal }: ReportOptions): ExitCode {
  const { paint } = screenOf(terminal.stderr, settings)
  if (error instanceof Refused) {
    if (isJson) terminal.stdout.write(`${jsonText(error.problem, 2)}\n`)
    const [head = '', ...more] = refusalLines(error.problem, settings.program)
    terminal.say([paint(head, 'bad'), ...more, ...hintOf(error)].join('\n'))
    return error.isFailure ? exitCodes.unreachable : exitCodes.refused
  }
  if (error instanceof Unreachable) {
    terminal.say([paint(error.message, 'bad'), ...hintOf(error)].join('\n'))
    return exitCodes.unreachable
  }
  if (error instanceof Stopped) {
    terminal.say(paint(error.message, 'wait'))
    return exitCodes.refused
  }
  if (error instanceof UsageError) {
    terminal.say(paint(error.message, 'bad'))
    return exitCodes.misused
  }
  terminal.say(paint(`This failed: ${printable(String(error))}`, 'bad'))
  terminal.say('--json prints the answer as it is.')
  return exitCodes.unreachable
}

const hintOf = ({ hint }: Refused | Unreachable): string[] => (hint ? [hint] : [])

/** The code, what to do, alternatives, and the request id for the operator. */
function refusalLines(problem: Problem, program: string): string[] {
  const { code, detail, errors = [], alternatives = [], request_id } = problem
  return [
    `${printable(code)}: ${printable(detail)}`,
    ...errors.map(
      ({ pointer, detail }) => `  ${printable(pointer.slice(1))}: ${printable(detail)}`,
    ),
    ...namedFields(problem),
    ...alternatives.map(freeLine),
    ...(code === 'unauthenticated' ? [`  Store a valid key: ${program} login`] : []),
    `  request ${printable(request_id)}`,
  ]
}

/** The fields that the sentence names in backticks: `  required_scope: bookings`. */
const namedFields = (problem: Problem): string[] =>
  [...problem.detail.matchAll(/`(\w+)`/g)].flatMap(([, name = '']) => {
    const value = Object.hasOwn(problem, name) ? problem[name as keyof Problem] : undefined
    return typeof value === 'string' || typeof value === 'number'
      ? [`  ${name}: ${printable(String(value))}`]
      : []
  })

/** What could be booked instead, with its price and what the venue asks for. */
function freeLine({
  venue,
  slot_time,
  why_ask,
  ...more
}: NonNullable<Problem['alternatives']>[number]) {
  const { service, price, deposit } = more
  const asked = deposit && `${deposit.kind} of ${depositText(deposit)}`
  const what = [`${venue.slug} ${slot_time}`, service, price, asked].filter(Boolean).join(', ')
  return `  free: ${printable(what)}${why_ask ? ` (${printable(why_ask)})` : ''}`
}
