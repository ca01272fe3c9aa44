import { expect } from 'vitest'
import type { Conversation } from '../../src/web/site/conversation.ts'
import { dateWords } from '../../src/web/site/venue-text.ts'
import { officialClients } from '../support/mcp-streamable.ts'
import { recordedAt, shapeOf } from '../support/recorded.ts'
import { test } from '../support/service.ts'

const FILE = new URL('../../src/web/site/conversation.json', import.meta.url)
const question = 'Book sushi in Canggu for the two of us, Saturday at 7.'

test('the conversation on the home page is one that the service still has', async ({ service }) => {
  const [open] = Object.values(officialClients)
  if (!open) throw new Error('no official client')
  const client = await open(`${service.url}/mcp`, service.agent.key)
  const call = async (name: string, input: Record<string, unknown>): Promise<any> => {
    const { content, isError } = (await client.callTool({ name, arguments: input })) as any
    expect(isError ?? false).toBe(false)
    return JSON.parse(content[0].text)
  }
  const search = { query: 'sushi in Canggu for 2 on Saturday at 7 pm', limit: 1 }
  const found = await call('search_venues', search)
  const [{ slug, name, area, availability }] = found.venues
  const [{ date, times: all }] = availability.days
  const times = all.slice(0, 2)
  const booking = { venue: slug, slot_time: `${date}T${times[0]}:00`, party_size: 2 }
  const booked = await call('confirm_booking', booking)
  await client.close()

  const { slot_time, party_size, fee, cancel_until_local } = booked.booking
  const [freeDate, freeClock] = cancel_until_local.split(/[T+]/)
  const conversation: Conversation = {
    question,
    calls: [
      {
        tool: 'search_venues',
        input: search,
        answer: { venues: [{ slug, name, area, availability: { days: [{ date, times }] } }] },
      },
      {
        tool: 'confirm_booking',
        input: booking,
        answer: {
          status: booked.status,
          booking: { slot_time, party_size, fee: { text: fee.text }, cancel_until_local },
        },
      },
    ],
    reply:
      `Done. ${name} in ${area}, ${dateWords(date)} at ${times[0]}, for two. ` +
      `You can cancel free of charge until ${dateWords(freeDate)}, ${freeClock.slice(0, 5)}.`,
  }
  const recorded = recordedAt(FILE, conversation)
  expect(shapeOf(conversation)).toEqual(shapeOf(recorded))
  expect(recorded.question).toBe(question)
  expect(booked.status).toBe('confirmed')
})
