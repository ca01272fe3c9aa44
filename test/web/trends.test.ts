import { expect, test } from 'vitest'
import { attemptsTable, bookingsByStatus, requestsPerDay } from '../../src/web/dashboard/trends.ts'
import type { Html } from '../../src/web/page/html.ts'

const rowsOf = (table: Html | undefined) =>
  [...(table?.markup ?? '').matchAll(/<tr>(.*?)<\/tr>/gs)]
    .map(([, row = '']) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell))
    .filter((cells) => cells.length > 1)

const bar = (max: number, value: number) =>
  `<meter aria-hidden="true" max="${max}" value="${value}"></meter>`

test('days are listed since the first request, newest first, with bars to scale', () => {
  const days = [
    { day: '2026-11-19', calls: 0, by_code: {} },
    { day: '2026-11-20', calls: 10, by_code: { ok: 9, plan_required: 1 } },
    { day: '2026-11-21', calls: 0, by_code: {} },
    { day: '2026-11-22', calls: 1_030, by_code: { ok: 1_005, quota_exceeded: 25 } },
  ]
  const table = requestsPerDay(days)
  expect(rowsOf(table)).toEqual([
    ['2026-11-22', bar(1_030, 1_030), '1,030', '1,005', '25'],
    ['2026-11-21', bar(1_030, 0), '0', '0', '0'],
    ['2026-11-20', bar(1_030, 10), '10', '9', '1'],
  ])
  expect(table.markup).toContain('1,040 requests, 2.5 % refused.')
  expect(requestsPerDay(days.slice(0, 1)).markup).toContain('No requests.')
})

test('attempts are listed since the first, with a dash where nothing was answered', () => {
  const at = (hour: number) => `2026-11-21T${hour}:00:00.000Z`
  const none = { succeeded: 0, failed: 0, p50_ms: null, p95_ms: null }
  const spans = [
    { ...none, at: at(12) },
    { at: at(13), succeeded: 3, failed: 1, p50_ms: 40, p95_ms: 90 },
    { ...none, at: at(14), failed: 4 },
  ]
  const table = attemptsTable(spans)
  expect(rowsOf(table)).toEqual([
    ['2026-11-21 14:00', bar(4, 4), '0', '4', '–', '–'],
    ['2026-11-21 13:00', bar(4, 4), '3', '1', '40 ms', '90 ms'],
  ])
  expect(table?.markup).toContain('8 attempts, 37.5 % succeeded.')
  expect(attemptsTable(spans.slice(0, 1))).toBeUndefined()
})

test('bookings are listed in lifecycle order, without empty statuses', () => {
  const table = bookingsByStatus({ cancelled: 2, confirmed: 5, held: 1, expired: 0 })
  expect(rowsOf(table)).toEqual([
    ['held', bar(5, 1), '1'],
    ['confirmed', bar(5, 5), '5'],
    ['cancelled', bar(5, 2), '2'],
  ])
  expect(bookingsByStatus({}).markup).toContain('No bookings.')
})
