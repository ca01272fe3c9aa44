import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Db } from '../../src/platform/database/sql.ts'
import { AddressRefused, createSendMail } from '../../src/platform/mail/send-mail.ts'
import { loggable } from '../../src/platform/telemetry/log.ts'
import { readableLog } from '../support/lines.ts'
import { openSmtpServer, type SmtpServer } from '../support/smtp-server.ts'

let server: SmtpServer

beforeAll(async () => {
  server = await openSmtpServer()
})
afterAll(() => server?.close())

const noDatabase: Pick<Db, 'query'> = {
  query: () => {
    throw new Error('no statement was expected')
  },
}
const mailer = (env: Record<string, string>) => {
  const { log, text } = readableLog()
  return { send: createSendMail(readConfig(env), noDatabase, log), text }
}
const smtp = () =>
  mailer({ SMTP_URL: server.url, MAIL_FROM: 'Venue Network <network@example.com>' })

test('an email goes to its only address through the configured server', async () => {
  const { send, text } = smtp()
  await send({ to: 'ayu@example.com', subject: 'Hello', text: 'secret token' })
  expect(server.received.at(-1)).toMatchObject({
    from: '<network@example.com>',
    to: ['<ayu@example.com>'],
  })
  expect(server.received.at(-1)?.data).toMatch(/^From: Venue Network <network@example.com>$/m)
  expect(text()).not.toMatch(/ayu@example|secret token/)
})

test.each([
  ['a line break', 'ayu@example.com\r\nBcc: victim@example.com'],
  ['a second address', 'ayu@example.com, victim@example.com'],
  ['a list in brackets', 'ayu@example.com>,<victim@example.com'],
])('%s in an address or a subject adds no recipient', async (_, hostile) => {
  const { send } = smtp()
  const before = server.received.length
  await send({ to: 'ayu@example.com', subject: hostile, text: 'x' })
  await send({ to: hostile, subject: 'x', text: 'x' }).catch(() => {})
  for (const { to, data } of server.received.slice(before)) {
    expect(to).toHaveLength(1)
    expect(to[0]).not.toBe('<victim@example.com>')
    expect(data).not.toMatch(/^(Bcc|Cc):/im)
  }
})

test('sending rejects if the server does not answer', async () => {
  const { send } = mailer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'network@example.com' })
  await expect(send({ to: 'ayu@example.com', subject: 'x', text: 'x' })).rejects.toThrow()
})

test('a remote server without STARTTLS gets neither credentials nor an email', async () => {
  // Reaches the server on this machine through an address outside the loopback range.
  const SMTP_URL = server.url.replace('smtp://127.0.0.1', 'smtp://user:secret@0.0.0.0')
  const { send } = mailer({ SMTP_URL, MAIL_FROM: 'network@example.com' })
  const before = { mails: server.received.length, commands: server.commands.length }
  const sending = send({ to: 'ayu@example.com', subject: 'Hello', text: 'secret token' })
  await expect(sending).rejects.toThrow('ETLS')
  expect(server.received).toHaveLength(before.mails)
  const said = server.commands.slice(before.commands)
  expect(said.length).toBeGreaterThan(0)
  expect(said.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([])
})

test('an address that the server refuses is not repeated in the error', async () => {
  const refused = smtp().send({ to: 'gone@example.com', subject: 'x', text: 'x' })
  const error: Error = await refused.then(
    () => new Error('it was taken'),
    (thrown) => thrown,
  )
  expect(error.message).toMatch(/refused an email: EENVELOPE, 550/)
  expect(JSON.stringify(loggable(error))).not.toContain('gone@')
})

test('a server that refuses the network ends no address, and the log says why', async () => {
  const { send, text } = smtp()
  const error = await send({ to: 'relay@example.com', subject: 'x', text: 'x' }).catch((it) => it)
  expect(error).not.toBeInstanceOf(AddressRefused)
  expect(error.message).toMatch(/EENVELOPE, 554/)
  expect(text()).toContain('check SMTP_URL')
  const gone = send({ to: 'gone@example.com', subject: 'x', text: 'x' })
  await expect(gone).rejects.toBeInstanceOf(AddressRefused)
})

test('production without a mail server says so at startup, and keeps no emails', async () => {
  const { send, text } = mailer({ NODE_ENV: 'production' })
  expect(text()).toContain('SMTP_URL is not set')
  await send({ to: 'ayu@example.com', subject: 'Hello', text: 'secret token' })
  expect(text()).toContain('an email was dropped')
  expect(text()).not.toMatch(/ayu@example|secret token/)
})

test('a mail server needs a sender', () => {
  expect(() => readConfig({ SMTP_URL: 'smtp://mail.example' })).toThrow(
    '  MAIL_FROM: must be given with SMTP_URL',
  )
  expect(() => readConfig({ MAIL_FROM: 'nobody' })).toThrow('  MAIL_FROM: ')
  expect(() => readConfig({ MAIL_FROM: 'a@b.co\r\nBcc: c@d.co' })).toThrow('  MAIL_FROM: ')
})
