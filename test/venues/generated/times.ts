import { AFTERNOON, EVENING, MORNING } from './calendar.ts'
import type { Part, TimeMeaning } from './meaning.ts'
import type { Random } from './random.ts'

/** A whole hour and the minutes after it, on the 24-hour clock. */
type Clock = { hour: number; minute: number }
type Make = (random: Random, clock: Clock) => [text: string, meaning: TimeMeaning]

const HOURS = [
  ...['twelve', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  'eleven',
]
const BEFORE = ['before', 'by', 'no later than', 'at the latest by']

const two = (number: number) => String(number).padStart(2, '0')
const minutesOf = ({ hour, minute }: Clock) => hour * 60 + minute
const at = (...minutes: number[]): TimeMeaning => ({ at: minutes })
const hour12 = (hour: number) => (hour % 12 === 0 ? 12 : hour % 12)
const noun = (hour: number) => HOURS[hour % 12] ?? ''
/** The same figures on the 12-hour clock, before and after noon. */
const bothHalves = (minutes: number) => {
  const half = minutes % 720
  return [half, half + 720]
}
const clock24 = ({ hour, minute }: Clock, mark = ':') => `${two(hour)}${mark}${two(minute)}`

/** "7pm", "7:30 pm", "7.30pm". */
function halfDay(random: Random, { hour, minute }: Clock): string {
  const figures =
    minute === 0 ? `${hour12(hour)}` : `${hour12(hour)}${random.pick([':', '.'])}${two(minute)}`
  const half = hour % 24 < 12 ? 'am' : 'pm'
  return `${figures}${random.pick([half, ` ${half}`, half.toUpperCase()])}`
}

const exact: Record<string, Make> = {
  'am or pm': (random, clock) => [
    `${random.pick(['at ', '', 'around ', 'about ', '@ '])}${halfDay(random, clock)}`,
    at(minutesOf(clock)),
  ],
  '24 hours': (random, clock) => [
    `${random.pick(['at ', ''])}${clock24(clock, random.pick([':', ':', '.', 'h']))}`,
    at(minutesOf(clock)),
  ],
  'four figures': (_, clock) => [`at ${clock24(clock, '')}`, at(minutesOf(clock))],
  'bare hour': (random, { hour }) => [
    random.pick([
      `at ${hour12(hour)}`,
      `around ${hour12(hour)}`,
      `at ${noun(hour)}`,
      `${hour12(hour)} o'clock`,
      `${hour12(hour)}ish`,
    ]),
    at(...bothHalves(hour * 60)),
  ],
  'half past': (_, { hour }) => [`at half past ${noun(hour)}`, at(...bothHalves(hour * 60 + 30))],
  quarter: (random, { hour }) =>
    random.chance(0.5)
      ? [`at quarter past ${noun(hour)}`, at(...bothHalves(hour * 60 + 15))]
      : [`at quarter to ${noun(hour)}`, at(...bothHalves(hour * 60 - 15))],
  noon: (random, { hour, minute }) =>
    hour === 12
      ? [random.pick(['at noon', 'at midday']), at(12 * 60)]
      : [`at ${halfDay(random, { hour, minute })}`, at(minutesOf({ hour, minute }))],
  'hour and part of day': (random, { hour }) => {
    const part = hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
    return [`at ${random.pick([`${hour12(hour)}`, noun(hour)])} in the ${part}`, at(hour * 60)]
  },
}

const bounds: Record<string, Make> = {
  before: (random, clock) => [
    `${random.pick(BEFORE)} ${halfDay(random, clock)}`,
    { window: { to: minutesOf(clock) } },
  ],
  'before a bare hour': (random, { hour }) => [
    `${random.pick(['before', 'by'])} ${hour12(hour)}`,
    { window: { to: Math.max(...bothHalves(hour * 60)) } },
  ],
  after: (random, clock) => [
    `${random.pick(['after', 'from', 'not before', 'any time after'])} ${halfDay(random, clock)}`,
    { window: { from: minutesOf(clock) } },
  ],
  between: (random, { hour }) => {
    const end = halfDay(random, { hour: hour + 2, minute: 0 })
    const start = hour12(hour)
    const isSameHalf = hour % 24 < 12 === (hour + 2) % 24 < 12
    const from = isSameHalf ? `${start}` : halfDay(random, { hour, minute: 0 })
    return [
      random.pick([
        `between ${from} and ${end}`,
        `from ${from} to ${end}`,
        `${from}-${end}`,
        `${from} to ${end}`,
      ]),
      { window: { from: hour * 60, to: (hour + 2) * 60 } },
    ]
  },
  'either of two': (random, clock) => {
    const first = minutesOf(clock)
    const later = { hour: clock.hour + (clock.minute === 0 ? 0 : 1), minute: 30 - clock.minute }
    const half = clock.minute === 0 ? `${hour12(clock.hour)}` : `${hour12(clock.hour)}:30`
    const isSameHalf = clock.hour % 24 < 12 === later.hour % 24 < 12
    const one = isSameHalf ? half : halfDay(random, clock)
    return [`${one} or ${halfDay(random, later)}`, at(first, first + 30)]
  },
}

const others: Record<string, Make> = {
  'part of the day': (random, { hour }) => {
    if (hour < 12) return ['in the morning', { window: MORNING }]
    if (hour < 17) return ['in the afternoon', { window: AFTERNOON }]
    const text = random.pick(['in the evening', 'early evening', 'at night', 'late evening'])
    return [text, { window: EVENING }]
  },
  'no such time': (random) => [random.pick(['at 25:00', 'at 7:75pm', 'at 19:99']), {}],
  'no time': (random) => [
    random.pick([
      'at the usual time',
      'when the kids are asleep',
      'right after the wedding',
      'between flights',
    ]),
    {},
  ],
}

const makers = { ...exact, ...bounds, ...others }

/** A time within these hours as English says it. */
export function englishTime(
  random: Random,
  [from, to]: readonly [number, number],
): Part<TimeMeaning> {
  const [form, make] = random.pick(Object.entries(makers))
  // "Before five in the evening" means nothing.
  const hour = form.startsWith('before') ? to : random.int(from, to)
  const clock = { hour, minute: random.pick([0, 0, 0, 30]) }
  const [text, meaning] = make(random, clock)
  return { form, text, meaning }
}
