import type { MinuteOfTraffic } from '../../../../operators/operations/read-traffic.ts'
import { counted, figure } from '../../charts/frame.ts'
import { barMarks, percent, stackedBars } from '../../charts/stacked-bars.ts'
import { note } from '../../components.ts'
import { type Html, html } from '../../html.ts'

type Kind = 'calls' | 'bookings' | 'deliveries'
type Words = { title: string; noun: string; ok: string; bad: string }

const kinds: Record<Kind, Words> = {
  calls: { title: 'Calls per minute', noun: 'call', ok: 'answered', bad: 'refused' },
  bookings: { title: 'Bookings per minute', noun: 'booking', ok: 'made', bad: 'lost' },
  deliveries: { title: 'Deliveries per minute', noun: 'delivery', ok: 'delivered', bad: 'failed' },
}

/** Calls, bookings and deliveries of the last hour, each by minute. */
export const trafficCharts = (minutes: readonly MinuteOfTraffic[]): Html => html`
<div class="charts">${Object.keys(kinds).map((kind) => trafficChart(kind as Kind, minutes))}</div>
${note(
  'Calls are those with a key, whether answered or refused. Lost bookings are those that were ' +
    'declined, expired or failed. Times are in UTC.',
)}`

function trafficChart(kind: Kind, minutes: readonly MinuteOfTraffic[]): Html {
  const { title, noun, ok, bad } = kinds[kind]
  const bars = minutes.map((minute) => ({
    name: minute.at.toISOString().slice(11, 16),
    ok: minute[kind].ok,
    bad: minute[kind].bad,
  }))
  const wrong = sum(bars.map((bar) => bar.bad))
  const all = sum(bars.map((bar) => bar.ok)) + wrong
  const faults = kind === 'calls' ? sum(minutes.map(({ calls }) => calls.faults)) : null
  const busiest = Math.max(...bars.map((bar) => bar.ok + bar.bad))
  const parts = [
    `${noun === 'delivery' ? pluralOf(all) : counted(all, noun)}, ${percent(wrong, all)} ${bad}`,
    ...(faults === null ? [] : [`${percent(faults, all)} our fault (5xx)`]),
    `busiest minute ${busiest.toLocaleString('en')}`,
  ]
  return figure({
    id: kind,
    title,
    summary: all === 0 ? `None in the last hour.` : `${parts.join(', ')}.`,
    body: stackedBars(bars, { ok, bad }),
    marks: barMarks({ ok, bad }),
    head: ['Minute (UTC)', capital(ok), capital(bad)],
    // Quiet minutes stand in the chart alone, which keeps the page light.
    rows: bars.flatMap(({ name, ok, bad }) => (ok + bad > 0 ? [[name, ok, bad]] : [])).toReversed(),
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const pluralOf = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'delivery' : 'deliveries'}`
const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`
