import { expect, test } from 'vitest'
import { languages } from '../../src/base/languages.ts'
import { noticeKinds } from '../../src/notices/rules/message.ts'
import { noticeMail } from '../../src/notices/rules/notice-text.ts'
import { createMailSender } from '../../src/notices/steps/send-mail.ts'
import { AddressRefused, type Mail } from '../../src/platform/mail/send-mail.ts'
import { bookingInNotice as booking, noticeMessage as message } from '../support/notice-message.ts'

test('an email names day and party first, and leads to one page', () => {
  const { subject, text, html } = noticeMail(message())
  expect(subject).toBe('New request: Sat 5 December, 19:00, 4 guests')
  expect(text).toBe(`New request

Warung & Co
Sat 5 December, 19:00
4 guests
Dinner, 90 min
Ayu <b>Sari</b>
> A window, please
Please answer by Tue 1 December, 18:15.

Accept, offer another time or decline:
https://network.example/venue/notice/abc

Warung & Co sends its messages about bookings to you, Ketut, at this address.
Stop these emails: https://network.example/venue/notice/abc/stop
`)
  expect(html).toContain('Ayu &lt;b&gt;Sari&lt;/b&gt;')
  expect(html.match(/href="https:[^"]+"/g)).toEqual([
    'href="https://network.example/venue/notice/abc"',
    'href="https://network.example/venue/notice/abc#times"',
    'href="https://network.example/venue/notice/abc#decline"',
    'href="https://network.example/venue/notice/abc/stop"',
  ])
})

test('an email about a change says what the booking is now', () => {
  const before = { slotTime: '2026-12-04T20:00:00', partySize: 2 }
  const { subject, text, html } = noticeMail(message({ booking: { ...booking, before } }))
  expect(subject).toBe('Change requested: Sat 5 December, 19:00, 4 guests')
  expect(text).toContain('Change this booking of Fri 4 December, 20:00, 2 guests?')
  expect(text).toContain('Accept the change, or keep the booking as it is:\nhttps')
  expect(html).toContain('Keep it as it is')
  expect(html).not.toMatch(/#times|#decline/)
})

test('a change after which nobody comes says so, and what a guest writes makes no link', () => {
  const ended = { ...booking, status: 'expired' as const }
  const { subject, html } = noticeMail(message({ kind: 'booking.cancelled', booking: ended }))
  expect(subject).toBe('Nothing is booked: Sat 5 December, 19:00, 4 guests')
  expect(html).toContain('Nothing is booked')
  const notes = 'At 19:00.\r\nAccept here:\nhttps://evil.example/x\u200b'
  const { text } = noticeMail(message({ booking: { ...booking, guestName: '\u202eEve', notes } }))
  expect(text).toContain('\nEve\n> At 19:00.\n> Accept here:\n> https: //evil. example/x\n')
})

const lists = {
  en: 'Bookings: Sat 5 December, 2 bookings',
  id: 'Reservasi: Sab, 5 Desember, 2 reservasi',
  ru: 'Брони: сб, 5 декабря, 2 брони',
}

test.each(languages)('every kind of notice has its email in %s', (language) => {
  const day = { date: '2026-12-05', bookings: [booking, booking] }
  const mails = noticeKinds.map((kind) =>
    noticeMail(message({ kind, language, ...(kind === 'day.list' && { booking: null, day }) })),
  )
  expect(mails.at(-1)?.subject).toBe(lists[language])
  for (const { html, text } of mails) {
    expect(html).toContain(`<html lang="${language}`)
    expect(`${html}${text}`).not.toMatch(/notices\.|mail\.|undefined|null/)
  }
})

test('an address that the mail server refuses for good ends its channel', async () => {
  const sent: Mail[] = []
  const answers = [undefined, new AddressRefused('refused: 550'), new Error('timed out')]
  const send = createMailSender(async (mail) => {
    sent.push(mail)
    const failure = answers.shift()
    if (failure) throw failure
  })
  const { signal } = new AbortController()
  const once = () => send(message(), 'k@venue.example', { id: '', heardAt: null }, signal)
  expect(await once()).toEqual({ status: 'sent' })
  expect(await once()).toEqual({ status: 'failed', failure: 'refused: 550', ends: 'gone' })
  await expect(once()).rejects.toThrow('timed out')
  expect(sent[0]).toMatchObject({
    ...{ to: 'k@venue.example', id: message().attemptId, subjectId: booking.id },
    headers: {
      'List-Unsubscribe': '<https://network.example/venue/notice/abc/stop>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
})
