import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { daily } from '../support/nightly.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'
import { type Ask, askAt, cancelOf, confirmOf, control, statusOf, token } from './ask.ts'
import { openFakeNetwork, secret } from './fake-network.ts'

type Running = Program & { base: string; ask: Ask }

let folder: string
let running: Program[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-simulator-'))
})
afterEach(async () => {
  await Promise.all(running.map((program) => program.end('SIGKILL')))
  running = []
  rmSync(folder, { recursive: true })
})

const journal = () => join(folder, 'book.jsonl')

function start(env: Record<string, string>, args: string[] = []): Program {
  const program = startProgram('packages/simulator/main.ts', env, args)
  running.push(program)
  return program
}

async function listening(env: Record<string, string> = {}): Promise<Running> {
  const given = { SIMULATOR_SECRET: secret, SIMULATOR_TOKEN: token, SIMULATOR_DATA: folder }
  const program = start({ ...given, ...env })
  await program.prints('Its book is kept')
  const [, base = ''] = program.output().match(/^The venue simulator listens on (\S+)\n/) ?? []
  return { ...program, base, ask: askAt(base) }
}

const misbehave = ({ base }: Running, on: string, behaviour: object) =>
  control(base, 'POST', '/script', { on, do: behaviour })
const stateOf = async ({ ask }: Running, bookingId: string) => {
  const answer = await ask(statusOf(bookingId))
  return answer.message
}

describe('a process that is killed', () => {
  test('has every answer in its journal', async () => {
    const before = await listening()
    const wishes = Array.from({ length: 20 }, () => confirmOf())
    const states = await Promise.all(wishes.map((wish) => before.ask(wish)))
    const over = await before.ask(cancelOf('never-heard-of', 9))
    await before.end('SIGKILL')

    const after = await listening()
    for (const { message } of states)
      expect(await stateOf(after, message.booking_id)).toEqual(message)
    expect(await stateOf(after, 'never-heard-of')).toEqual(over.message)
    const late = confirmOf({ booking_id: 'never-heard-of' })
    expect((await after.ask(late)).message).toMatchObject({ status: 'cancelled', revision: 9 })
  })

  test('before answering still knows what it wrote, seats included', async () => {
    const before = await listening()
    await control(before.base, 'POST', '/seats', { venue_id: 'small', seats: 4 })
    const wish = confirmOf({ venue_id: 'small' })
    await misbehave(before, 'booking.confirm', { fail: 'hang_after' })
    const lost = before.ask(wish).catch(() => 'lost')
    await eventually('the booking in the journal', async () =>
      readFileSync(journal(), 'utf8').includes(wish.booking_id),
    )
    await before.end('SIGKILL')
    expect(await lost).toBe('lost')

    const after = await listening()
    expect(await stateOf(after, wish.booking_id)).toMatchObject({ status: 'confirmed' })
    const other = await after.ask(confirmOf({ venue_id: 'small', party_size: 1 }))
    expect(other.message.status).toBe('declined')
    const { json } = await control(after.base, 'GET', `/book/${wish.booking_id}`)
    expect(json.history[0]).toMatchObject({ answered: 'hang_after (confirmed)' })
  })

  test('posts the statements that were due, under the same webhook-id', async () => {
    const network = await openFakeNetwork()
    const before = await listening()
    const wish = confirmOf({ answer_url: network.answerUrl('any') })
    const later = [{ status: 'confirmed', after_ms: 1500 }, { status: 'cancelled' }]
    await misbehave(before, 'booking.confirm', { answer: 'pending', later })
    network.answerNext({ status: 503, headers: { 'retry-after': '3600' } })
    await before.ask(wish)
    const [owed] = await network.arrivals(1)
    await before.end('SIGKILL')

    await listening()
    const received = await network.arrivals(3)
    const again = received.filter(({ id }) => id === owed?.id)
    expect(again).toMatchObject([{ message: owed?.message }, { message: owed?.message }])
    expect(received.map(({ message }) => message.status)).toContain('confirmed')
    await network.close()
  })
})

describe('a scripted crash with exit', () => {
  const crashes = [
    ['crash_during', 'confirmed'],
    ['crash_before', 'unknown'],
    ['crash_after', 'confirmed'],
  ] as const
  test.each(daily(crashes))(
    '%s ends the process with code 70, and the next one says %s',
    async (fail, stands) => {
      const before = await listening()
      const wish = confirmOf()
      await misbehave(before, 'booking.confirm', { fail, exit: true })
      await expect(before.ask(wish)).rejects.toThrow()
      await eventually('the end', async () => before.process.exitCode !== null)
      expect(before.process.exitCode).toBe(70)

      const after = await listening()
      expect(await stateOf(after, wish.booking_id)).toMatchObject({ status: stands })
      expect((await after.ask(wish)).message).toMatchObject({ status: 'confirmed' })
    },
  )
})

describe('the journal', () => {
  test('drops an incomplete last line and continues after it', async () => {
    const first = await listening()
    const { message } = await first.ask(confirmOf())
    await first.end('SIGKILL')
    appendFileSync(journal(), '{"kind":"booking","booking":{"booking_id":"torn","ven')

    const second = await listening()
    expect(await stateOf(second, 'torn')).toMatchObject({ status: 'unknown' })
    await second.ask(confirmOf({ booking_id: 'behind' }))
    await second.end('SIGKILL')

    const third = await listening()
    expect(await stateOf(third, message.booking_id)).toEqual(message)
    expect(await stateOf(third, 'behind')).toMatchObject({ status: 'confirmed' })
  })

  test('that is damaged in the middle prevents the start, and the line is named', async () => {
    writeFileSync(journal(), '{"kind":"seats","venue_id":"v","seats":3}\nrust\n{}\n')
    const program = start({ SIMULATOR_SECRET: secret, SIMULATOR_DATA: folder })
    await program.prints('is damaged in line 2')
    await eventually('the end', async () => program.process.exitCode === 1)
  })

  test('contains no guest data', async () => {
    const simulator = await listening()
    await simulator.ask(confirmOf())
    const text = readFileSync(journal(), 'utf8')
    expect(text).toContain('"party_size":4')
    for (const detail of ['Ayu', '+62', 'ayu@', 'window']) expect(text).not.toContain(detail)
  })
})

test.each<NodeJS.Signals>(daily(['SIGTERM', 'SIGINT']))(
  '%s ends it with code 0',
  async (signal) => {
    const simulator = await listening()
    await misbehave(simulator, 'booking.confirm', { fail: 'hang' })
    const hanging = simulator.ask(confirmOf()).catch(() => 'closed')
    await simulator.prints('→ hang')
    expect(await simulator.end(signal)).toBe(0)
    expect(await hanging).toBe('closed')
  },
)

test('without a folder it warns that nothing is kept', async () => {
  const simulator = await listening({ SIMULATOR_DATA: '' })
  expect(simulator.output()).toContain('Its book is kept in memory only')
})

test('without a token its tools are off, and it says so', async () => {
  const { base, ask, output } = await listening({ SIMULATOR_TOKEN: '' })
  expect(output()).toContain('Its tools are off: SIMULATOR_TOKEN is not set')
  const refused = await control(base, 'GET', '/book', undefined, 'Bearer ')
  expect(refused).toMatchObject({ status: 401, json: { detail: expect.stringMatching(/are off/) } })
  expect((await ask(confirmOf())).message).toMatchObject({ status: 'confirmed' })
})

test('without a valid secret it does not start, and says what is missing', async () => {
  for (const env of [{}, { SIMULATOR_SECRET: 'secret' }, { SIMULATOR_SECRET: 'whsec_%' }]) {
    const program = start(env)
    await program.prints('SIMULATOR_SECRET')
    await eventually('the end', async () => program.process.exitCode === 1)
  }
})

test('--help prints the options and exits', async () => {
  const program = start({}, ['--help'])
  await program.prints('SIMULATOR_DATA')
  await eventually('the end', async () => program.process.exitCode === 0)
})
