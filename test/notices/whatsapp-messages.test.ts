import { expect, test } from 'vitest'
import { languages } from '../../src/base/languages.ts'
import { readConfig } from '../../src/config/config.ts'
import { channelDigests } from '../../src/notices/rules/channel.ts'
import type { NoticeMessage } from '../../src/notices/rules/message.ts'
import { errorMeaning, failureText } from '../../src/notices/rules/whatsapp-errors.ts'
import { listContent, templateContent } from '../../src/notices/rules/whatsapp-message.ts'
import { messageKey, payloadText, readPayload } from '../../src/notices/rules/whatsapp-payload.ts'
import { templateKinds, templatesIn } from '../../src/notices/rules/whatsapp-templates.ts'
import { postMessage } from '../../src/notices/steps/send-whatsapp.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { readableLog } from '../support/lines.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
const attemptId = '0197a1f0-0000-7000-8000-000000000001'

const message: NoticeMessage = {
  attemptId,
  kind: 'request.waiting',
  at: new Date('2026-12-05T09:30:00Z'),
  venue: { slug: 'senja', name: 'Senja Table', timezone: 'Asia/Makassar', phone: null },
  person: { id: attemptId, name: 'Wayan' },
  language: 'id',
  booking: {
    id: attemptId,
    revision: 1,
    status: 'pending',
    slotTime: '2026-12-05T19:00:00',
    endsAt: new Date('2026-12-05T13:00:00Z'),
    partySize: 2,
    service: 'Dinner',
    guestName: 'Eve\n*see* https://evil.example',
    notes: 'a secret',
    answerBy: new Date('2026-12-05T10:15:00Z'),
    before: null,
  },
  day: null,
  url: 'https://network.example/venue/notice/AAAA',
}

test('a request is sent as a template with three buttons that are bound to its attempt', () => {
  const content = templateContent(message, (answer) => `${answer}!`)
  const texts = ['Senja Table', 'Sab, 5 Desember, 19.00', '2', 'Dinner']
  const values = [...texts, 'Eve see https: //evil. example', '18.15']
  expect(content).toEqual({
    type: 'template',
    template: {
      name: 'request_waiting',
      language: { code: 'id' },
      components: [
        { type: 'body', parameters: values.map((text) => ({ type: 'text', text })) },
        ...['accept!', 'offer!', 'decline!'].map((payload, index) => ({
          type: 'button',
          sub_type: 'quick_reply',
          index: String(index),
          parameters: [{ type: 'payload', payload }],
        })),
      ],
    },
  })
  expect(JSON.stringify(content)).not.toContain('secret')
})

test('a change says what the booking is now, and offers no other time', () => {
  const before = { slotTime: '2026-12-04T20:00:00', partySize: 4 }
  const booking = message.booking && { ...message.booking, before }
  const asked = { ...message, booking, language: 'en' } as const
  const content = templateContent(asked, (...press) => press.join('.'))
  const { template } = content as Record<string, any>
  const [body, ...buttons] = template.components
  expect(template.name).toBe('request_change')
  expect(body.parameters[1].text).toBe('Fri 4 December, 20:00, 4 guests')
  expect(body.parameters[2].text).toBe('Sat 5 December, 19:00')
  expect(buttons.map((one: any) => one.parameters[0].payload)).toEqual(['accept.', 'decline.other'])
})

test('what needs no answer has a link, and counts the guests of a day', () => {
  const { booking } = message
  const bookings = booking ? [booking, { ...booking, partySize: 3 }] : []
  const day = { date: '2026-12-06', bookings }
  const list = { ...message, kind: 'day.list', booking: null, day, language: 'en' } as const
  const { template } = templateContent(list, () => '') as Record<string, any>
  expect(template.components).toEqual([
    {
      type: 'body',
      parameters: ['Senja Table', 'Sun 6 December', '2 bookings, 5 guests'].map((text) => ({
        type: 'text',
        text,
      })),
    },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'AAAA' }] },
  ])
})

test.each(languages)('the templates in %s keep Meta’s rules', (language) => {
  const templates = templatesIn(language, 'https://network.example')
  expect(templates.map(({ name }) => name)).toEqual(
    templateKinds.map((kind) => kind.replace('.', '_')),
  )
  for (const { components, category } of templates) {
    const [body, { buttons }] = components
    const places = body.text.match(/\{\{\d\}\}/g) ?? []
    expect(places).toEqual(places.map((_, index) => `{{${index + 1}}}`))
    expect(places).toHaveLength(body.example.body_text[0]?.length ?? 0)
    expect(body.text).not.toMatch(/^\{\{|\}\}[^\p{L}]*$|\}\}\s*\{\{|\n{3}/u)
    // With fewer words around its values, a template is refused.
    expect(body.text.match(/\p{L}+/gu)?.length).toBeGreaterThan(2 * places.length)
    expect(body.text.length + places.length * 60).toBeLessThan(1024)
    for (const { text } of buttons) expect(text.length).toBeLessThanOrEqual(20)
    expect(category).toBe('UTILITY')
  }
})

test('a payload leads back to its attempt, and an invented one to nothing', () => {
  const press = { answer: 'offer', attemptId, choice: '2026-12-05T19:30:00' } as const
  const payload = payloadText(sealer, press)
  expect(payload.length).toBeLessThanOrEqual(128)
  expect(readPayload(sealer, payload)).toEqual(press)
  expect(readPayload(sealer, payload.replace('offer', 'accept'))?.answer).toBe('accept')
  for (const wrong of ['', 'accept', 'accept.AAAA', payload.replace(/\.../, '.zz')]) {
    expect(readPayload(sealer, wrong)).toBeUndefined()
  }
  const wamid = `wamid.${Buffer.from('628123456789').toString('base64')}`
  expect(Buffer.from(messageKey(wamid), 'hex').toString()).not.toContain('628')
})

test('a number has one digest, however many of its digits are written', () => {
  const digest = (number: string) => channelDigests(sealer, 'whatsapp', number)
  const pairs = ['+5255 12345678', '+54911 12345678', '+5511 987654321', '+22901 12345678']
  const others = ['+52155 12345678', '+5411 12345678', '+5511 87654321', '+229 12345678']
  const all = (numbers: string[]) => numbers.map((one) => digest(one.replace(' ', '')))
  expect(all(pairs)).toEqual(all(others))
  expect(digest('+5511912345678')).not.toEqual(digest('+551112345678'))
})

test('a list has at most ten rows with short titles', () => {
  const choices = Array.from({ length: 12 }, (_, n) => ({ id: `${n}`, title: `${n}`.repeat(30) }))
  const { interactive } = listContent('Which?', 'Choose', choices) as Record<string, any>
  const [{ rows }] = interactive.action.sections
  expect(rows).toHaveLength(10)
  expect(Math.max(...rows.map(({ title }: { title: string }) => title.length))).toBe(24)
})

test('errors end a channel, are sent again, or say what the operator must do', () => {
  expect(errorMeaning(131026).ends).toBe('wrong_number')
  expect(errorMeaning(131050).ends).toBe('stopped')
  for (const code of [4, 80007, 130429, 131048, 131056, 131000, 131016]) {
    expect(errorMeaning(code)).toMatchObject({ again: true })
  }
  for (const code of [132000, 132001, 132015, 132016, 190, 131031, 205]) {
    expect(errorMeaning(code).advice).toMatch(/^[A-Z].+\.$/)
    expect(errorMeaning(code).again).toBeUndefined()
  }
  expect(failureText(131026)).toBe('the number cannot get WhatsApp messages (131026)')
  expect(failureText(999)).toBe('WhatsApp refuses the message (999)')
})

test('an answer without a code leaves open whether the message was sent', async () => {
  const settings = { apiUrl: 'https://api.example', phoneNumberId: '1', token: 't' }
  const secrets = { appSecret: 's', verifyToken: 'v' }
  const answering = (status: number, body: object) =>
    postMessage(
      {
        settings: { ...settings, ...secrets },
        log: readableLog().log,
        outbound: {
          send: async () => ({
            ...{ status, headers: {}, truncated: false, ms: 1 },
            body: Buffer.from(JSON.stringify(body)),
          }),
        },
      },
      { type: 'text' },
      { to: '+628123456789' },
    )
  await expect(answering(502, {})).rejects.toMatchObject({ kind: 'bad_answer', sent: true })
  const limited = await answering(429, { error: { code: 130429 } }).catch((error) => error)
  expect(limited).not.toHaveProperty('sent')
  expect(await answering(400, { error: { code: 131026 } })).toMatchObject({ ends: 'wrong_number' })
})

test('the settings are given together, and none of them by halves', () => {
  const some = { WHATSAPP_PHONE_NUMBER_ID: '1', WHATSAPP_TOKEN: 't', WHATSAPP_APP_SECRET: 's' }
  expect(() => readConfig(some)).toThrow(
    'WHATSAPP_VERIFY_TOKEN: must be given with WHATSAPP_PHONE_NUMBER_ID and WHATSAPP_TOKEN',
  )
  expect(() =>
    readConfig({ NODE_ENV: 'production', WHATSAPP_API_URL: 'http://api.example' }),
  ).toThrow('WHATSAPP_API_URL: must be https:// in production')
})
