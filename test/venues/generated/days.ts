import {
  AFTERNOON,
  EVENING,
  endOfMonth,
  MORNING,
  monthAfter,
  namedWeekday,
  nextNamed,
  nextWeekday,
  one,
  plain,
  plus,
  span,
  weekAfter,
  weekdayOf,
  weekendOf,
} from './calendar.ts'
import { dates } from './dates.ts'
import { anyName, anyWeekday, counted, longName, type MakeDay, monthName } from './english.ts'
import type { DayMeaning, Part } from './meaning.ts'
import { misspelled, type Random } from './random.ts'

const relative: Record<string, MakeDay> = {
  today: (_, today) => ['today', one(today)],
  tonight: (random, today) => [
    random.pick(['tonight', 'this evening']),
    { ...one(today), window: EVENING },
  ],
  tomorrow: (_, today) => ['tomorrow', one(plus(today, 1))],
  'part of tomorrow': (random, today) => {
    const [word, window] = random.pick([
      ['morning', MORNING],
      ['afternoon', AFTERNOON],
      ['evening', EVENING],
      ['night', EVENING],
    ] as const)
    return [`tomorrow ${word}`, { ...one(plus(today, 1)), window }]
  },
  'day after tomorrow': (random, today) => [
    random.pick(['the day after tomorrow', 'day after tomorrow']),
    one(plus(today, 2)),
  ],
  'in days': (random, today) => {
    const days = random.int(2, 10)
    const count = counted(random, days)
    return [random.pick([`in ${count} days`, `${count} days from now`]), one(plus(today, days))]
  },
  'in weeks': (random, today) => {
    const weeks = random.int(1, 6)
    const unit = weeks === 1 ? 'week' : 'weeks'
    const count = weeks === 1 ? random.pick(['a', 'one', '1']) : counted(random, weeks)
    const text = random.pick([
      `in ${count} ${unit}`,
      `${count} ${unit} from now`,
      `${count} ${unit} from today`,
    ])
    return [text, one(plus(today, weeks * 7))]
  },
  fortnight: (random, today) => [
    random.pick(['in a fortnight', 'a fortnight from now']),
    one(plus(today, 14)),
  ],
  'weeks on a weekday': (random, today) => {
    const weeks = random.int(1, 4)
    const day = anyWeekday(random)
    const count = weeks === 1 ? 'a' : counted(random, weeks)
    const unit = weeks === 1 ? 'week' : 'weeks'
    const coming = nextWeekday(today, day)
    const inThatWeek = plus(plus(today, 1 - weekdayOf(today)), weeks * 7 + day - 1)
    return [
      random.pick([
        `in ${count} ${unit} on ${longName(day)}`,
        `${count} ${unit} on ${longName(day)}`,
      ]),
      { days: [span(plus(coming, weeks * 7)), span(inThatWeek)] },
    ]
  },
}

const weekdays: Record<string, MakeDay> = {
  weekday: (random, today) => {
    const day = anyWeekday(random)
    const name = anyName(random, day)
    return [random.pick([name, `on ${name}`, `this ${name}`]), namedWeekday(today, day)]
  },
  'part of a weekday': (random, today) => {
    const day = anyWeekday(random)
    const [word, window] = random.pick([
      ['morning', MORNING],
      ['evening', EVENING],
      ['night', EVENING],
    ] as const)
    return [`${anyName(random, day)} ${word}`, { ...namedWeekday(today, day), window }]
  },
  'misspelled weekday': (random, today) => {
    const day = anyWeekday(random)
    const name = misspelled(random, longName(day))
    // As near to Tuesday as to Thursday.
    return [`on ${name === 'Tursday' ? longName(day) : name}`, namedWeekday(today, day)]
  },
  'misspelled tomorrow': (random, today) => {
    const [word, ahead] = random.pick([
      ['tomorrow', 1],
      ['tonight', 0],
      ['today', 0],
    ] as const)
    return [misspelled(random, word), one(plus(today, ahead))]
  },
  'next weekday': (random, today) => {
    const day = anyWeekday(random)
    return [`next ${anyName(random, day)}`, nextNamed(today, day)]
  },
  'weekday week': (random, today) => {
    const day = anyWeekday(random)
    const name = longName(day)
    const coming = nextWeekday(today, day)
    const isToday = weekdayOf(today) === day
    return [
      random.pick([`${name} week`, `a week on ${name}`, `a week from ${name}`]),
      { days: [span(plus(coming, 7)), ...(isToday ? [span(coming)] : [])] },
    ]
  },
  'either weekday': (random, today) => {
    const [first, second] = [random.int(1, 3), random.int(4, 7)]
    const spans = [first, second].flatMap((day) => namedWeekday(today, day).days)
    return [`${longName(first)} or ${longName(second)}`, { days: spans }]
  },
}

const ranges: Record<string, MakeDay> = {
  'this weekend': (random, today) => {
    const isOn = weekdayOf(today) >= 6
    const text = random.pick(['this weekend', 'at the weekend', 'on the weekend'])
    return [text, { days: [weekendOf(today), ...(isOn ? [weekendOf(plus(today, 7))] : [])] }]
  },
  'next weekend': (_, today) => {
    const after = weekendOf(plus(weekAfter(today).from, 0))
    return ['next weekend', { days: [weekendOf(today), after] }]
  },
  'next week': (random, today) => [
    random.pick(['next week', 'sometime next week']),
    { days: [weekAfter(today)] },
  ],
  'next month': (_, today) => ['next month', { days: [monthAfter(today)] }],
  'range of weekdays': (random, today) => {
    const first = random.int(1, 5)
    const from = nextWeekday(today, first)
    const to = plus(from, random.int(1, 2))
    const text = `${longName(first)} to ${longName(weekdayOf(to))}`
    const earlier = weekdayOf(today) === first ? [span(today, to)] : []
    return [
      random.pick([text, `between ${text.replace(' to ', ' and ')}`]),
      { days: [span(from, to), ...earlier] },
    ]
  },
  'range of dates': (random, today) => {
    const first = plain(plus(today, random.int(2, 50)))
    const day = Math.min(first.day, 24)
    const month = monthName(random, first.month)
    const from = first.with({ day }).toString()
    const days = from >= today ? [span(from, plus(from, 3))] : []
    return [
      random.pick([`${day}-${day + 3} ${month}`, `between ${day} and ${day + 3} ${month}`]),
      { days },
    ]
  },
  'part of a month': (random, today) => {
    const { year, month } = plain(today).add({ months: 1 })
    const [part, low, high] = random.pick([
      ['early', 1, 10],
      ['mid', 11, 20],
      ['late', 18, 31],
      ['the first week of', 1, 7],
    ] as const)
    const first = plain(today).with({ year, month, day: 1 })
    const last = Math.min(high, first.daysInMonth)
    return [
      `${part.startsWith('the') ? 'in ' : ''}${part} ${monthName(random, month)}`,
      { days: [span(first.with({ day: low }).toString(), first.with({ day: last }).toString())] },
    ]
  },
  'end of the month': (random, today) => [
    random.pick(['at the end of the month', 'end of the month']),
    { days: [endOfMonth(today)] },
  ],
}

const FEASTS: readonly [text: string, dates: readonly string[]][] = [
  ['on Christmas Day', ['2026-12-25', '2027-12-25']],
  ['for Christmas', ['2026-12-25', '2027-12-25']],
  ['on Christmas Eve', ['2026-12-24', '2027-12-24']],
  ["on New Year's Eve", ['2026-12-31', '2027-12-31']],
  ["on New Year's Day", ['2027-01-01', '2028-01-01']],
  ["on Valentine's Day", ['2027-02-14', '2028-02-14']],
  ['for Chinese New Year', ['2027-02-06']],
  ['for Lunar New Year', ['2027-02-06']],
  ['on Good Friday', ['2027-03-26']],
  ['on Easter Sunday', ['2027-03-28']],
  ['for Songkran', ['2027-04-13', '2027-04-14', '2027-04-15']],
]

const others: Record<string, MakeDay> = {
  feast: (random, today) => {
    const [text, all] = random.pick(FEASTS)
    const coming = all.filter((date) => date >= today)
    const first = plain(coming[0] ?? today).year
    return [
      text,
      { days: coming.filter((date) => plain(date).year === first).map((date) => span(date)) },
    ]
  },
  'vague distance': (random, today) => {
    const [text, from, to] = random.pick([
      ['in a few days', 2, 6],
      ['in a couple of weeks', 12, 16],
      ['in a couple of days', 2, 3],
      ['in a month', 28, 31],
    ] as const)
    return [text, { days: [span(plus(today, from), plus(today, to))] }]
  },
  'no such date': (random) => [
    random.pick([
      'on 31 November',
      '30 February',
      'on 2027-02-30',
      'April 31st',
      'on the 32nd',
      '45/13',
    ]),
    { days: [] },
  ],
  'over already': (random) => [
    random.pick([
      ...['yesterday', 'last Friday', 'last week', '2 days ago', 'a week ago', 'last night'],
      ...['on 2026-01-15', '3 March 2025'],
    ]),
    { days: [] },
  ],
  'no date': (random) => [
    random.pick([
      ...[
        'on my birthday',
        'soon',
        'some day',
        'one of these days',
        'on our next visit',
        'sometime',
      ],
      ...[
        'on her day off',
        'after the holidays',
        'before we fly home',
        'the day after the wedding',
      ],
      ...['later this year', 'in spring', 'when the kids are back at school'],
    ]),
    { days: [] },
  ],
}

const makers = { ...relative, ...weekdays, ...dates, ...ranges, ...others }

/** A day as English says it. */
export function englishDay(random: Random, today: string): Part<DayMeaning> {
  const [form, make] = random.pick(Object.entries(makers))
  const [text, meaning] = make(random, today)
  return { form, text, meaning }
}
