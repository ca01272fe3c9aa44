import fc from 'fast-check'
import { expect, test } from 'vitest'
import { months, timeWords } from '../../src/venues/search/calendar-lexicon.ts'
import { resolveTime } from '../../src/venues/search/requested-time.ts'
import { withLongForms } from '../../src/venues/search/short-forms.ts'
import { readVisit } from '../../src/venues/search/visit.ts'

/** Sunday, 13:00 in Bali. */
const at = new Date('2026-11-29T05:00:00Z')
const place = { category: null, timezone: 'Asia/Makassar', at }

const timeOf = (text: string) => resolveTime(readVisit(withLongForms(text)), place)
const wish = (text: string) => {
  const { date, time } = timeOf(text)
  return `${date ?? '-'} ${time ?? '-'}`
}

test.each([
  ['fri 7pm', '2026-12-04 19:00'],
  ['sat 8pm', '2026-12-05 20:00'],
  ['a sun deck', '- -'],
  ['2026-12-04t19:00:00', '2026-12-04 19:00'],
  ['2026-12-04t11:00:00z', '2026-12-04 19:00'],
  ['2026/12/11 at 1930', '2026-12-11 19:30'],
  ['11-12-2026', '2026-12-11 -'],
  ['saturday 12/5', '2026-12-05 -'],
  ['dec. 4', '2026-12-04 -'],
  ['4th of dec', '2026-12-04 -'],
  ['4-6 december', '2026-12-04 -'],
  ['in two weeks', '2026-12-13 -'],
  ['in two weeks on saturday', '2026-12-12 -'],
  ['two weeks from saturday', '2026-12-19 -'],
  ['friday week', '2026-12-11 -'],
  ['a fortnight from now', '2026-12-13 -'],
  ['next month', '2026-12-01 -'],
  ['end of december', '2026-12-25 -'],
  ['in an hour and a half', '2026-11-29 14:30'],
  ['setengah jam lagi', '2026-11-29 13:30'],
  ['2 minggu lagi', '2026-12-13 -'],
  ['hari minggu depan', '2026-12-06 -'],
  ['malam jumat', '2026-12-03 18:00'],
  ['tgl 15 bulan depan', '2026-12-15 -'],
  ['tomorrow 8-10pm', '2026-11-30 20:00'],
  ['tomorrow 11-1pm', '2026-11-30 11:00'],
  ['lunch tomorrow 12-2', '2026-11-30 12:00'],
  ['tomorrow 8 or 8:30', '2026-11-30 20:00'],
  ['dinner before 7 tomorrow', '2026-11-30 18:00'],
  ['not before 7pm tomorrow', '2026-11-30 19:00'],
  ['tanggal 8 jam setengah lima sore', '2026-12-08 16:30'],
  ['tgl 7 jam satu siang', '2026-12-07 13:00'],
  ['5 dec 26', '2026-12-05 -'],
  ['first week of december', '2026-12-01 -'],
  ['early next week', '2026-11-30 -'],
  ['spa in ubud in two hours', '2026-11-29 15:00'],
  ['tacos until 3am friday', '2026-12-04 18:00'],
  ['1am tonight', '2026-11-30 01:00'],
  ['friday 01:00', '2026-12-04 01:00'],
  ['quarter to eight tomorrow', '2026-11-30 19:45'],
  ['late dinner friday', '2026-12-04 20:30'],
  ['chinese new year', '2027-02-06 -'],
  ['hari raya galungan', '2027-01-13 -'],
  ['good friday', '2027-03-26 -'],
  ['independence day', '2027-08-17 -'],
  ['bukber', '2026-11-29 18:00'],
  ['jam 8 mlm selasa', '2026-12-01 20:00'],
  ['jam 7 atau 8 malam selasa', '2026-12-01 19:00'],
  ['antara jam 6 - 8 malam selasa', '2026-12-01 18:00'],
  ['sebelum jam 7 malam selasa', '2026-12-01 17:00'],
  ['pukul 19.30 malam rabu', '2026-12-02 19:30'],
  ['jam 12 malam sabtu', '2026-12-06 00:00'],
  ['meja untuk 4 malam jumat', '2026-12-03 18:00'],
  ['bsk jam stgh 1', '2026-11-30 12:30'],
  ['dini hari jam 1', '2026-11-30 01:00'],
  ['besok jam 2 dini hari', '2026-11-30 02:00'],
  ['sabtu malam buka sampe jam 2 pagi', '2026-12-05 18:00'],
  ['skrg juga', '2026-11-29 13:00'],
  ['besok pagi2', '2026-11-30 06:00'],
  ['besok sore-sore', '2026-11-30 14:00'],
  ['besok abis kerja', '2026-11-30 17:30'],
  ['besok sehabis sholat isya', '2026-11-30 19:30'],
  ['isnin depan pukul 10 pagi', '2026-11-30 10:00'],
  ['selasa petang', '2026-12-01 14:00'],
  ['monday arvo', '2026-11-30 14:00'],
  ['hr minggu depan jam 7 malam', '2026-12-06 19:00'],
  ['makan malam akhir tahun tgl 17 desember 2026 pukul 18.30', '2026-12-17 18:30'],
  ['31 des taun baruan', '2026-12-31 -'],
  ['tengah malem jam 12 malam ini', '2026-11-30 00:00'],
  ['min, besok jam 7 malam', '2026-11-30 19:00'],
  ['kamis besok', '2026-12-03 -'],
  ['this coming sunday', '2026-12-06 -'],
  ['next next tuesday', '2026-12-08 -'],
  ['sabtu 5/12 jam7malam', '2026-12-05 19:00'],
  ['besok pkl.19.00', '2026-11-30 19:00'],
  ['sekitar jam 7an besok', '2026-11-30 19:00'],
  ['habis sholat jumat', '2026-12-04 13:00'],
  ['senin sampai rabu jam 7 malam', '2026-11-30 19:00'],
  ['dinner on 4.12. at 19:30', '2026-12-04 19:30'],
  ['dinner in ubud, 4.12, 7pm', '2026-12-04 19:00'],
  ['a table at 7.10', '2026-11-29 19:10'],
  ['a rating of 4.8. dinner', '- -'],
  ['restaurant 4.5, 7pm tomorrow', '2026-11-30 19:00'],
  ['we land at 7.30. dinner tomorrow', '2026-11-30 19:30'],
  ['open until 5pm tomorrow', '2026-11-30 -'],
  ['4-12 at 7pm', '2026-12-04 19:00'],
  ['20.30 oclock tomorrow', '2026-11-30 20:30'],
  ['moved from dec 3 to dec 4', '2026-12-04 -'],
  ['done by 7pm tomorrow', '2026-11-30 15:30'],
  ['year-end dinner on 10 december, 7pm', '2026-12-10 19:00'],
  ['in bali for 10 days; sanur on 5 december', '2026-12-05 -'],
  ['monday 7am, not next week', '2026-11-30 07:00'],
  ['not the 2nd but the 9th', '2026-12-09 -'],
  ['first saturday of december', '2026-12-05 -'],
  ['last friday of next month', '2026-12-25 -'],
])('%j said on a Sunday at 13:00 means %s', (text, expected) => {
  expect(wish(text)).toBe(expected)
})

test.each([
  ['friday 5 december', '2026-12-05 is a Saturday, not a Friday'],
  ['on 4 december, no, rather 6 january', 'Two days were said, “on 4 december” and “6 january”'],
  ['at 7pm and then at 9pm', 'Two times were said, “at 7pm” and “at 9pm”'],
  ['chinese new year 2031', '“chinese new year 2031” is not known'],
  ['in a few days', '“a few days”. No times are shown: send `date`'],
  ['not on friday', '“not on friday”'],
  ['every monday', '“every monday”'],
  ['at 25:00 tomorrow', '“25:00”. No times are shown: send `time`'],
  ['31 november', '“31 november”'],
  ['friday 7', '“7”. No times are shown: send `time`'],
  ['tonight before 5', 'before that part of the day (tonight)'],
  ['after the wedding tomorrow', '“after the wedding”'],
  ['iftar in ramadan', '“ramadan”'],
  ['30 feb', '“30 feb”'],
  ['dinner the day of the storm', '“the day of”. No times are shown: send `date`'],
  ['a massage the day after we land', '“the day after”. No times are shown: send `date`'],
  ['supposed to go on friday, actually saturday', 'Two days were said, “on friday” and “saturday”'],
  ['12/4 at 7pm', '“12/4” may be 2026-12-04 or 2027-04-12: send one as `date`'],
  ['next saturday, not this one, the one after', '“the one after”'],
])('%j is asked about', (text, asked) => {
  expect(timeOf(text).question).toContain(asked)
})

test.each([
  ['kalo besok penuh lusa aja', '2026-11-30 -', 'Of “besok” and “lusa”, 2026-11-30 is shown'],
  ['tomorrow 7pm, if full then wednesday', '2026-11-30 19:00', '“tomorrow” and “wednesday”'],
  ['tomorrow at 7pm or if not 8pm', '2026-11-30 19:00', 'Times from 19:00 to 20:00'],
  ['besok jam 7 malam, kalo penuh jam 9', '2026-11-30 19:00', 'Of 19:00 and 21:00, 19:00 is shown'],
])('the second choice of %j is said, not asked about', (text, expected, said) => {
  expect(wish(text)).toBe(expected)
  expect(timeOf(text)).toMatchObject({ assumed: expect.stringContaining(said) })
  expect(timeOf(text)).not.toHaveProperty('question')
})

test.each([
  ['friday 5 december at 7pm', '- 19:00'],
  ['tomorrow at 7pm, monthly', '2026-11-30 19:00'],
])('what was understood of %j stays beside the question', (text, expected) => {
  expect(wish(text)).toBe(expected)
  expect(timeOf(text).question).toBeDefined()
})

test('a word about time that is left over is never silently today', () => {
  const plain = Object.values(timeWords)
    .flat()
    .filter((word) => /^[a-z ]+$/.test(word) && !timeWords.none.includes(word))
  expect(plain.length).toBeGreaterThan(100)
  for (const word of plain.filter((one) => !timeWords.apart.includes(one))) {
    const { date, question, isOver, assumed } = timeOf(`dinner ${word} ubud`)
    const isToday = date === null || date === '2026-11-29'
    expect([word, question ?? isOver ?? (isToday ? assumed : date)]).not.toContainEqual(null)
    if (date === null) expect([word, question ?? isOver]).not.toContain(undefined)
  }
})

test('property: a date means itself in every form', () => {
  const names = Object.entries(months).map(([name, month]) => ({ name, month }))
  const date = fc.record({ month: fc.constantFrom(...names), day: fc.integer({ min: 1, max: 28 }) })
  fc.assert(
    fc.property(date, ({ month: { name, month }, day }) => {
      const [mm, dd] = [month, day].map((one) => String(one).padStart(2, '0'))
      const iso = `2027-${mm}-${dd}`
      for (const text of [
        iso,
        `2027/${mm}/${dd}`,
        `${dd}.${mm}.2027`,
        `${day} ${name} 2027`,
        `${name} ${day}, 2027`,
      ])
        expect([text, wish(`dinner on ${text} at 7pm`)]).toEqual([text, `${iso} 19:00`])
    }),
  )
})
