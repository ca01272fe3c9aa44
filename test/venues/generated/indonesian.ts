import {
  EVENING,
  monthAfter,
  namedWeekday,
  nextDate,
  nextNamed,
  nextNumbered,
  nextWeekday,
  one,
  plain,
  plus,
  span,
  weekAfter,
  weekdayOf,
  weekendOf,
} from './calendar.ts'
import type { DayMeaning, Part, TimeMeaning } from './meaning.ts'
import type { Random } from './random.ts'

type MakeDay = (random: Random, today: string) => [text: string, meaning: DayMeaning]
type MakeTime = (random: Random, hour: number) => [text: string, meaning: TimeMeaning]

const WEEKDAYS = [
  ['senin'],
  ['selasa'],
  ['rabu'],
  ['kamis'],
  ['jumat', "jum'at"],
  ['sabtu'],
  ['minggu'],
]
const MONTHS = [
  ...['Januari', 'Februari', 'Maret', 'April', 'Mei', 'Juni', 'Juli', 'Agustus', 'September'],
  ...['Oktober', 'November', 'Desember'],
]
const NUMBERS = [
  ...['nol', 'satu', 'dua', 'tiga', 'empat', 'lima', 'enam', 'tujuh', 'delapan', 'sembilan'],
  ...['sepuluh', 'sebelas', 'dua belas'],
]

const nameOf = (random: Random, day: number) => random.pick(WEEKDAYS[day - 1] ?? [])
const number = (random: Random, value: number) =>
  random.chance(0.5) ? `${value}` : (NUMBERS[value] ?? `${value}`)

const days: Record<string, MakeDay> = {
  'hari ini': (random, today) =>
    random.chance(0.5)
      ? ['hari ini', one(today)]
      : [random.pick(['nanti malam', 'malam ini']), { ...one(today), window: EVENING }],
  besok: (random, today) =>
    random.chance(0.6)
      ? ['besok', one(plus(today, 1))]
      : ['besok malam', { ...one(plus(today, 1)), window: EVENING }],
  lusa: (_, today) => ['lusa', one(plus(today, 2))],
  hari: (random, today) => {
    const day = random.int(1, 7)
    const name = nameOf(random, day)
    return [
      day === 7 ? `hari ${name}` : random.pick([name, `hari ${name}`, `${name} ini`]),
      namedWeekday(today, day),
    ]
  },
  'hari depan': (random, today) => {
    const day = random.int(1, 6)
    return [`${nameOf(random, day)} depan`, nextNamed(today, day)]
  },
  'malam minggu': (_, today) => ['malam minggu', { ...namedWeekday(today, 6), window: EVENING }],
  'hari lagi': (random, today) => {
    const ahead = random.int(2, 10)
    return [`${number(random, ahead)} hari lagi`, one(plus(today, ahead))]
  },
  'minggu lagi': (random, today) => {
    const weeks = random.int(1, 4)
    const text = weeks === 1 ? 'seminggu lagi' : `${number(random, weeks)} minggu lagi`
    return [text, one(plus(today, weeks * 7))]
  },
  tanggal: (random, today) => {
    const date = plain(plus(today, random.int(1, 60)))
    const month = MONTHS[date.month - 1] ?? ''
    const year = random.chance(0.3) ? ` ${date.year}` : ''
    const text = random.pick([
      ...[`tanggal ${date.day} ${month}`, `tgl ${date.day} ${month}`, `${date.day} ${month}`],
      `${nameOf(random, weekdayOf(date.toString()))} ${date.day} ${month}`,
    ])
    return [text + year, one(date.toString())]
  },
  'tanggal saja': (random, today) => {
    const day = random.int(1, 28)
    return [random.pick([`tanggal ${day}`, `tgl ${day}`]), one(nextNumbered(today, day))]
  },
  'angka tanggal': (random, today) => {
    const date = plain(plus(today, random.int(1, 60)))
    const other = date.day <= 12 ? nextDate(today, date.month, date.day) : undefined
    return [
      `tgl ${date.day}/${date.month}`,
      { days: [date.toString(), ...(other ? [other] : [])].map((one) => span(one)) },
    ]
  },
  'minggu depan': (_, today) => [
    'minggu depan',
    { days: [span(nextWeekday(today, 7)), weekAfter(today)] },
  ],
  'bulan depan': (_, today) => ['bulan depan', { days: [monthAfter(today)] }],
  'akhir pekan': (random, today) => [
    random.pick(['akhir pekan ini', 'weekend ini', 'akhir minggu ini']),
    { days: [weekendOf(today), ...(weekdayOf(today) >= 6 ? [weekendOf(plus(today, 7))] : [])] },
  ],
  'hari raya': (random) => {
    const [text, dates] = random.pick([
      ['pas Natal', ['2026-12-25']],
      ['malam tahun baru', ['2026-12-31']],
      ['pas Imlek', ['2027-02-06']],
      ['pas Nyepi', ['2027-03-08']],
      ['pas Lebaran', ['2027-03-09', '2027-03-10', '2027-03-11']],
    ] as const)
    return [text, { days: dates.map((date) => span(date)) }]
  },
  'sudah lewat': (random) => [
    random.pick(['kemarin', 'minggu lalu', '2 hari yang lalu', 'tadi malam', 'Jumat lalu']),
    { days: [] },
  ],
  'tanpa tanggal': (random) => [
    random.pick([
      'kapan-kapan',
      'pas ulang tahun saya',
      'nanti kalau sempat',
      'tanggal 31 November',
      'habis gajian',
    ]),
    { days: [] },
  ],
}

/** The part of the day that Indonesian adds to an hour of the 12-hour clock. */
const partOf = (hour: number) =>
  hour < 11 ? 'pagi' : hour < 15 ? 'siang' : hour < 18 ? 'sore' : 'malam'
const two = (hour: number) => String(hour).padStart(2, '0')
const twelve = (hour: number) => (hour % 12 === 0 ? 12 : hour % 12)

const times: Record<string, MakeTime> = {
  jam: (random, hour) => {
    const figure = number(random, twelve(hour))
    return [
      `${random.pick(['jam', 'pukul', 'sekitar jam', 'jam'])} ${figure} ${partOf(hour)}`,
      { at: [hour * 60] },
    ]
  },
  'jam dengan menit': (random, hour) => [
    `${random.pick(['jam', 'pukul', 'pkl'])} ${two(hour)}${random.pick(['.', ':'])}30`,
    { at: [hour * 60 + 30] },
  ],
  'jam saja': (_, hour) => [
    `jam ${twelve(hour)}`,
    { at: [(hour % 12) * 60, (hour % 12) * 60 + 720] },
  ],
  setengah: (_, hour) => [
    `jam setengah ${NUMBERS[twelve(hour + 1)]} ${partOf(hour)}`,
    { at: [hour * 60 + 30] },
  ],
  sebelum: (_, hour) => [
    `sebelum jam ${twelve(hour)} ${partOf(hour)}`,
    { window: { to: hour * 60 } },
  ],
  setelah: (random, hour) => [
    `${random.pick(['setelah', 'di atas', 'mulai'])} jam ${twelve(hour)} ${partOf(hour)}`,
    { window: { from: hour * 60 } },
  ],
  antara: (random, hour) => [
    `${random.pick([
      `antara jam ${twelve(hour)} dan ${twelve(hour + 2)}`,
      `jam ${twelve(hour)} sampai jam ${twelve(hour + 2)}`,
    ])} ${partOf(hour + 2)}`,
    { window: { from: hour * 60, to: (hour + 2) * 60 } },
  ],
}

/** A day as Indonesian says it. */
export function indonesianDay(random: Random, today: string): Part<DayMeaning> {
  const [form, make] = random.pick(Object.entries(days))
  const [text, meaning] = make(random, today)
  return { form, text, meaning }
}

/** A time within these hours as Indonesian says it. */
export function indonesianTime(
  random: Random,
  [from, to]: readonly [number, number],
): Part<TimeMeaning> {
  const [form, make] = random.pick(Object.entries(times))
  // "Before five in the evening" means nothing.
  const hour = form === 'sebelum' ? to : random.int(from, to)
  const [text, meaning] = make(random, hour)
  return { form, text, meaning }
}
