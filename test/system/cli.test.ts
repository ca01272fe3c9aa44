import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { scopes } from '../../src/base/scopes.ts'
import { choosePort } from '../../src/local/ports.ts'
import { makeKey, openAgent } from '../support/agent.ts'
import { callCli, type Ran, runCli } from '../support/cli.ts'
import type { Service } from '../support/network.ts'
import { eventually, startProgram } from '../support/programs.ts'
import { openReceiver, proving, type Receiver } from '../support/receiver.ts'
import { test } from '../support/service.ts'

let service: Service
let receiver: Receiver
let folder: string
test.beforeAll(async ({ service: shared }) => {
  service = shared
  receiver = await openReceiver()
  folder = mkdtempSync(join(tmpdir(), 'cli-e2e-'))
})

afterAll(async () => {
  await receiver?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Run as the test's pro account, without a profile. */
const cli = (...args: string[]): Promise<Ran> =>
  callCli(args, {
    VENUE_NETWORK_URL: service.url,
    VENUE_NETWORK_KEY: service.agent.key,
    XDG_CONFIG_HOME: folder,
  })

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A free time for two in a few days, and the venue's slug. */
async function findFree(
  days: number,
  kind = 'restaurant',
): Promise<{ slug: string; time: string }> {
  const found = await cli('search', kind, '--party', '2', '--date', inDays(days), '--json')
  const [venue] = found.json().venues
  return { slug: venue.slug, time: venue.availability.slots[0].slot_time.slice(0, 16) }
}

test('a typed key is tested, stored for its owner only, and used from then on', async () => {
  const env = { XDG_CONFIG_HOME: folder }
  const login = ['login', '--url', service.url]
  const wrong = await runCli(login, env, { stdin: `service_live_${'x'.repeat(43)}\n` })
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('unauthenticated: ')])
  const before = await runCli(['whoami'], env)
  expect([before.code, before.stderr]).toEqual([2, expect.stringContaining('login --url')])

  const right = await runCli(login, env, { stdin: `${service.agent.key}\n` })
  expect(right.stdout).toContain(`works at ${service.url}`)
  expect(right.stdout + right.stderr).not.toContain(service.agent.key)
  expect(statSync(join(folder, 'venue-network/profiles.json')).mode & 0o777).toBe(0o600)

  const who = await runCli(['status', '--json'], env)
  expect(who.json()).toEqual({
    url: service.url,
    profile: 'default',
    key: `…${service.agent.key.slice(-4)}`,
    version: '0.1.0',
    requests: { limit: 1e9, remaining: expect.any(Number), resets_at: expect.any(String) },
  })
  expect((await runCli(['logout'], env)).code).toBe(0)
  expect((await runCli(['whoami'], env)).code).toBe(2)
})

test('--json prints the REST response and nothing else', async () => {
  const query = '/api/venues/search?q=sushi+in+Canggu&limit=2&detail=full'
  const { body } = await service.agent.get(query)
  const found = await cli('search', 'sushi', 'in', 'Canggu', '--limit', '2', '--json')
  expect([found.code, found.stderr]).toEqual([0, ''])
  const slugs = (answer: any) => answer.venues.map(({ slug }: any) => slug)
  expect(slugs(found.json())).toEqual(slugs(body))
  expect(Object.keys(found.json())).toEqual(Object.keys(body))
})

test('a key is read from stdin, and pages continue', async () => {
  const options = ['--key-stdin', '--url', service.url, '--limit', '1']
  const stdin = service.agent.key
  const first = await runCli(['search', 'spa', ...options], {}, { stdin })
  const [, cursor = ''] = /--cursor (\S+)/.exec(first.stdout) ?? []
  const second = await runCli(['search', 'spa', ...options, '--cursor', cursor], {}, { stdin })
  expect([first.code, second.code]).toEqual([0, 0])
  const slugOf = ({ stdout }: Ran) => stdout.split('\n').find((line) => / {2}spa {2}/.test(line))
  expect(slugOf(first)).toBeDefined()
  expect(slugOf(second)).not.toBe(slugOf(first))
})

test('a search leads to a booking that is amended, cancelled and shown step by step', async () => {
  const { slug, time } = await findFree(3)
  const days = await cli('availability', slug, '--date', inDays(3), '--party', '2')
  expect([days.code, days.stdout]).toEqual([0, expect.stringContaining(time.slice(11))])

  const guest = ['--party', '2', '--name', 'Ayu', '--notes', 'window', '--idempotency-key', 'cli-1']
  const booked = await cli('book', slug, ...time.split('T'), ...guest, '--json')
  expect(booked.code).toBe(0)
  const { status, booking } = booked.json()
  expect([status, booking.slot_time, booking.venue.slug]).toEqual(['confirmed', `${time}:00`, slug])
  const again = await cli('book', slug, time, ...guest)
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Already booked')])
  expect(again.stdout).toContain(booking.id)

  const listed = await cli('bookings', 'list', '--status', 'confirmed', '--venue', slug)
  expect(listed.stdout).toContain(booking.id)
  const dry = await cli('bookings', 'amend', booking.id, '--party', '1', '--dry-run')
  expect(dry.stdout).toContain('Possible. Nothing was changed.')
  const amended = await cli('bookings', 'amend', booking.id, '--party', '1')
  expect([amended.code, amended.stdout]).toEqual([0, expect.stringContaining('Amended.')])
  const cost = await cli('bookings', 'cancel', booking.id, '--dry-run')
  expect(cost.stdout).toMatch(/: free of charge until \w{3} \d{4}-\d\d-\d\d \d\d:\d\d \+08:00\.$/m)
  const cancelled = await cli('bookings', 'cancel', booking.id, '--by', 'guest')
  expect(cancelled.stdout).toBe(`Cancelled ${booking.id}, free of charge.\n`)
  const shown = await cli('bookings', 'show', booking.id)
  expect(shown.stdout).toMatch(/^status +cancelled$/m)
  const timeline = await cli('bookings', 'timeline', booking.id)
  expect(timeline.stdout).toMatch(/by the guest\n +The booking was cancelled/)
  expect(timeline.stdout).toContain('Signed with the key ')
})

test('the command that a search prints books the service that was asked for', async () => {
  const found = await cli('search', '90 minute massage for 2', '--date', inDays(4))
  const [, command = ''] = /^Book: venue-network (.+)$/m.exec(found.stdout) ?? []
  const words = [...command.matchAll(/'([^']+)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word)
  const booked = await cli(...words.map(String))
  expect(booked.stdout, found.stdout).toMatch(/^service +.*massage.*, 90 min/im)
  expect(booked.stdout).toMatch(/^price +IDR .* per guest, IDR .* for 2 guests/m)
})

test('a slot is held, kept longer and confirmed, with the page for the guest', async () => {
  const { slug, time } = await findFree(5)
  const held = await cli('hold', slug, time, '--party', '2')
  expect([held.code, held.stdout]).toEqual([0, expect.stringMatching(/^Held\.\n/)])
  const [, id = ''] = /holds confirm (\S+)$/m.exec(held.stdout) ?? []
  expect((await cli('holds', 'extend', id)).stdout).toMatch(/^Extended\.$/m)
  const booked = await cli('holds', 'confirm', id, '--name', 'Ayu')
  expect(booked.stdout).toMatch(/^Booked\.$/m)
  const pages = [booked, await cli('bookings', 'show', id)].map(
    ({ stdout }) => /^guest_url, .*:\n(\S+)$/m.exec(stdout)?.[1],
  )
  expect(pages).toEqual([expect.stringContaining('/guest/'), pages[0]])

  const other = await cli('hold', slug, time, '--party', '1', '--ref', 'other', '--json')
  const released = await cli('holds', 'release', other.json().booking.id)
  expect([released.code, released.stdout]).toEqual([0, expect.stringContaining('Released.')])
})

test('a full slot is watched, and the watch ends when asked', async () => {
  const { slug, time } = await findFree(6, 'spa')
  const free = await cli('watch', slug, time, '--party', '2')
  expect([free.code, free.stderr]).toEqual([1, expect.stringContaining('slot_available: ')])
  for (let booked = 0; ; booked += 1) {
    const { code } = await cli('book', slug, time, '--party', '2', '--ref', `guest ${booked}`)
    if (code !== 0) break
  }
  const watched = await cli('watch', slug, time, '--party', '2', '--json')
  const { id } = watched.json().watch
  expect((await cli('watches', 'list', '--status', 'watching')).stdout).toContain(id)
  expect((await cli('watches', 'show', id)).stdout).toMatch(/^position +1$/m)
  expect((await cli('watches', 'cancel', id)).stdout).toMatch(/^status +cancelled$/m)
})

test('keys are created, replaced and revoked; plan and usage are shown', async () => {
  const { key } = await makeKey(service.db, 'pro', scopes)
  const env = { VENUE_NETWORK_URL: service.url, VENUE_NETWORK_KEY: key, XDG_CONFIG_HOME: folder }
  const mine = (...args: string[]) => callCli(args, env)
  const made = await mine('keys', 'create', '--name', 'laptop', '--test', '--scopes', 'usage')
  expect(made.stdout).toMatch(/^API key, shown only once:\nservice_test_\S{43}$/m)
  const [, id = ''] = /^key +(\S+)$/m.exec(made.stdout) ?? []
  const rolled = await mine('keys', 'roll', id, '--overlap-hours', '1')
  expect(rolled.stdout).toMatch(/^replaces +….*, valid until /m)
  const kept = await mine('keys', 'revoke', id)
  expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('--yes')])
  expect((await mine('keys', 'revoke', id, '--yes')).stdout).toMatch(/^status +revoked$/m)
  expect((await mine('keys', 'list')).stdout).toMatch(new RegExp(`^${id} +laptop +test`, 'm'))

  expect((await mine('plan', 'show')).stdout).toMatch(/^pro +USD 49 +/m)
  expect((await mine('plan', 'change', 'pro', '--yes')).stdout).toMatch(/^plan +pro$/m)
  expect((await mine('usage', '--days', '2')).stdout).toMatch(/^today +\d+ of 1000000000 requests/m)
})

test('a refusal prints code, advice, alternatives and request; --json its document', async () => {
  const { slug, time } = await findFree(2)
  const closed = `${time.slice(0, 11)}03:07`
  const refused = await cli('book', slug, closed, '--party', '2')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toMatch(/^venue_closed: .* `alternatives` lists /m)
  expect(refused.stderr).toMatch(new RegExp(`^ {2}free: ${slug} \\d{4}-`, 'm'))
  expect(refused.stderr).toMatch(/^ {2}request [0-9a-f-]{36}$/m)
  const document = await cli('book', slug, closed, '--party', '2', '--json')
  expect([document.code, document.json().code]).toEqual([1, 'venue_closed'])

  const { key } = await openAgent(service.db, service.url, 'free')
  const env = { VENUE_NETWORK_URL: service.url, VENUE_NETWORK_KEY: key, XDG_CONFIG_HOME: folder }
  const poor = await callCli(['book', slug, time, '--party', '2'], env)
  expect([poor.code, poor.stderr]).toEqual([1, expect.stringContaining('plan_required: ')])
})

test('a usage error exits with 2, and an unreachable network with 3', async () => {
  const misused = await cli('book', 'somewhere', '2026-12-24T19:00')
  expect([misused.code, misused.stderr]).toEqual([2, 'book needs --party, the number of guests.\n'])
  const url = `http://127.0.0.1:${await choosePort()}`
  const nobody = await cli('bookings', 'list', '--url', url)
  expect([nobody.code, nobody.stdout]).toEqual([3, ''])
  expect(nobody.stderr).toBe(`${url} does not answer (ECONNREFUSED).\n`)
})

test('webhooks: add, verify, test, pause, resume, rotate, retry, replay, delete', async () => {
  const added = await cli('webhooks', 'add', receiver.url, '--types', 'endpoint.*', '--json')
  expect(added.code).toBe(0)
  const { endpoint, secret } = added.json()
  expect([endpoint.status, secret]).toEqual(['unverified', expect.stringMatching(/^whsec_/)])
  const { id } = endpoint
  receiver.answer = proving(() => secret)
  expect((await cli('webhooks', 'test', id)).stderr).toContain('endpoint_not_active: ')
  const verified = await cli('webhooks', 'verify', id)
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('Verified.')])

  const tested = await cli('webhooks', 'test', id, '--note', 'hello', '--json')
  const { delivery } = tested.json()
  expect([tested.code, delivery.status]).toEqual([0, 'delivered'])
  const list = await cli('webhooks', 'list')
  expect(list.stdout).toMatch(new RegExp(`^${id} {2}active +${receiver.url}`, 'm'))
  expect((await cli('webhooks', 'pause', id)).stdout).toMatch(/^status +paused \(owner\)$/m)
  const resumed = await cli('webhooks', 'resume', id)
  expect(resumed.stdout).toMatch(/^status +active$/m)
  expect(resumed.stdout).toContain('0 held events are due now')
  const updated = await cli('webhooks', 'update', id, '--description', 'mine', '--rate', '5')
  expect(updated.stdout).toMatch(/^description +mine$/m)
  expect(updated.stdout).toMatch(/^at most +5 per second$/m)
  const rotated = await cli('webhooks', 'rotate', id, '--overlap-hours', '1')
  expect(rotated.stdout).toMatch(/^Signing secret, shown only once:\nwhsec_\S{44}$/m)

  const deliveries = await cli('webhooks', 'deliveries', '--endpoint', id, '--status', 'delivered')
  expect(deliveries.stdout).toContain(`${delivery.id}  delivered`)
  expect((await cli('webhooks', 'delivery', delivery.id)).stdout).toContain('200 in ')
  const retried = await cli('webhooks', 'retry', delivery.id)
  expect([retried.code, retried.stdout]).toEqual([0, expect.stringContaining('has succeeded')])
  const choice = ['--from-number', '1', '--types', 'endpoint.test']
  const counted = await cli('webhooks', 'replay', id, ...choice, '--dry-run', '--json')
  expect(counted.json()).toMatchObject({ counts: { would_send: 1 }, replay: null })
  const before = receiver.received.length
  const replayed = await cli('webhooks', 'replay', id, ...choice)
  expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringMatching(/to be sent +1\n/)])
  await eventually('it comes again', async () => receiver.received.length > before)
  expect((await cli('webhooks', 'replays', id)).stdout).toMatch(/running|completed/)

  const kept = await cli('webhooks', 'delete', id)
  expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('--yes')])
  expect((await cli('webhooks', 'delete', id, '--yes')).stdout).toContain('Deleted.')
  expect((await cli('webhooks', 'show', id)).stderr).toContain('endpoint_not_found: ')
})

test('listen prints each event as a line of JSON and ends with Ctrl-C', async () => {
  const env = { VENUE_NETWORK_URL: service.url, VENUE_NETWORK_KEY: service.agent.key }
  const listening = startProgram('packages/cli/main.ts', env, [
    'listen',
    '--types',
    'booking.*',
    '--json',
  ])
  await listening.prints('Listening at')
  const { slug, time } = await findFree(4)
  const { booking } = (await cli('book', slug, time, '--party', '2', '--json')).json()
  await listening.prints('booking.confirmed')
  const line =
    listening
      .output()
      .split('\n')
      .find((one) => one.includes('booking.confirmed')) ?? ''
  expect(JSON.parse(line).data.booking.id).toBe(booking.id)
  expect(await listening.end('SIGINT')).toBe(130)
})

test('a refused request is found in the log, with its reason and without the guest', async () => {
  const { slug, time } = await findFree(3)
  const guest = ['--name', 'Budi Santoso', '--notes', 'Allergic to peanuts']
  const refused = await cli('book', slug, time, '--party', '900', ...guest, '--json')
  const { request_id, detail } = refused.json()
  const shown = await eventually('the request in the log', async () => {
    const found = await cli('requests', 'show', request_id)
    return found.code === 0 && found
  })
  expect(shown.stdout).toContain('POST /api/bookings')
  expect(shown.stdout).toContain('422 party_too_large')
  expect(shown.stdout).toContain('"party_size": 900')
  expect(shown.stdout).not.toMatch(/Budi|peanuts/)
  const { error } = (await cli('requests', 'show', request_id, '--json')).json()
  expect(`${error.message} ${error.advice}`).toBe(detail)
  const list = await cli('requests', '--status', '4xx', '--code', 'party_too_large')
  expect(list.stdout).toContain(request_id)
  const unknown = await cli('requests', 'show', 'a-request')
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('invalid_request')])
})
