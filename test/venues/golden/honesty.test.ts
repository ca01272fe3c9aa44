import { expect, test } from 'vitest'
import { suits } from './attributes.ts'
import type { AnsweredVenue, Understood } from './grade.ts'
import { liesOf } from './honesty.ts'
import type { GoldenQuery } from './queries.ts'
import { nothing, venue } from './sample.ts'
import { settled } from './settle.ts'

const query: GoldenQuery = { q: 'dinner', kind: 'sentence', expect: {}, first: {} }

function lies(
  of: Partial<GoldenQuery>,
  said: Partial<Understood> = {},
  venues: AnsweredVenue[] = [venue('sushi', ['sushi'])],
): string[] {
  const interpretation = { ...nothing, ...said }
  return liesOf({ query: { ...query, ...of }, venues, interpretation }, '2026-11-18')
}

test('a word that is neither met nor reported as dropped is a lie', () => {
  expect(lies({ admits: ['jazz'] })).toEqual(['is silent on jazz'])
  expect(lies({ q: 'jazz dinner', admits: ['jazz'] }, { dropped: ['jazz'] })).toEqual([])
  expect(lies({ admits: ['jazz|blues'] }, { widened: 'No bar matches "Blues".' })).toEqual([])
  expect(lies({ admits: ['sushi'] })).toEqual([])
  expect(lies({ unsaid: ['asok'] }, { hint: 'Near Asok.' })).toEqual(['says "asok"'])
})

test('only words that were written can be dropped', () => {
  const q = 'Anniversary diner'
  const corrections = [{ from: 'diner', to: 'dinner' }]
  expect(lies({ q }, { dropped: ['anniversary', 'dinner'], corrections })).toEqual([])
  expect(lies({ q }, { dropped: ['romantic'] })).toEqual(['drops "romantic", which nobody wrote'])
})

const covered = { areas: ['Bali'], kinds: ['spa'] }
const nearest = { area: 'An Bang', city: 'Hoi An' }

test('a place that is not covered gives an empty answer that says so, and what is', () => {
  const hue = {
    kind: 'uncovered',
    first: null,
    covered: false,
    nearest: ['Hoi An'],
  } satisfies Partial<GoldenQuery>
  const missing = { place: 'Da Nang', kinds: [], nearest, covered }
  expect(lies(hue, { not_covered: missing }, [])).toEqual([])
  expect(lies(hue, { not_covered: missing })).toEqual(['shows sushi for what is not covered'])
  expect(lies(hue, {}, [])).toEqual(['does not say what is not covered'])
  const wrong = { ...missing, nearest: { area: 'Ubud', city: 'Bali' } }
  expect(lies(hue, { not_covered: wrong }, [])).toEqual(['names Ubud as the nearest'])
  const corrections = [{ from: 'nang', to: 'bang' }]
  expect(lies(hue, { not_covered: missing, corrections }, [])).toEqual(['corrects nang to bang'])
  expect(lies({ ...hue, kind: 'unoffered' }, { not_covered: missing }, [])).toEqual([
    'does not name what is not covered',
  ])
})

test('a different place or price must be reported', () => {
  expect(lies({ first: { areas: ['Ubud'] } })).toEqual(['is silent on going to Canggu'])
  expect(lies({ first: { areas: ['Pererenan'] } }, { near: 'Tanah Lot' })).toEqual([])
  expect(lies({ first: { areas: ['Ubud'] } }, { near: 'Tanah Lot' })).toHaveLength(1)
  expect(lies({ first: { areas: ['Ubud'] } }, { widened: 'All of Bali is shown.' })).toEqual([])
  expect(lies({ first: { max_spend: 50 } })).toEqual(['is silent on the price'])
  expect(lies({ first: { max_price: 1 } }, { widened: 'None is that cheap.' })).toEqual([])
})

test('every kind that was asked for must be named', () => {
  const expected = { categories: ['spa' as const, 'bar' as const] }
  expect(lies({ expect: expected }, { category: 'spa' })).toEqual(['is silent on the bar'])
  expect(lies({ expect: expected }, { category: 'spa', other_categories: ['bar'] })).toEqual([])
})

test('slots that are missing, on another day or much later must be explained', () => {
  const shown = (slots: string[], note: string | null = null) => [venue('a', [], { slots, note })]
  const asked = { date: '2026-11-18', time: '17:30' }
  expect(lies({}, asked)).toEqual([])
  expect(lies({}, { ...asked, time: '17:29' })).toHaveLength(1)
  expect(lies({}, { ...asked, date: '2026-11-17' })).toHaveLength(1)
  expect(lies({}, { date: '2026-11-21', time: '00:00' }, shown(['2026-11-20T23:00:00']))).toEqual(
    [],
  )
  expect(lies({}, {}, shown([]))).toEqual(['is silent on why a has no slots'])
  expect(lies({}, {}, shown([], 'Takes parties of 1 to 6, not 12.'))).toEqual([])
})

test('times of another day, hour or party than was said are a lie, unless none are shown', () => {
  const expected = {
    date: 'friday',
    party_size: 2,
    days: { from: 'friday', to: 'sunday' },
    times: { from: '18:00', to: '20:00' },
  }
  const slots = ['2026-11-20T19:00:00']
  const shown = [venue('a', [], { slots })]
  const right = { date: '2026-11-20', party_size: 2 }
  expect(lies({ expect: expected }, right, shown)).toEqual([])
  expect(lies({ expect: expected }, { ...right, party_size: 3 }, shown)).toEqual([
    'party_size is 3',
  ])
  expect(lies({ expect: { date: 'friday' } }, {}, shown)).toEqual(['date is null'])
  expect(lies({ expect: { date: 'friday' }, asks: ['date'] }, {}, shown)).toHaveLength(2)
  const late = [venue('a', [], { slots: [...slots, '2026-11-20T20:30:00'] })]
  expect(lies({ expect: expected }, right, late)).toEqual(['times is 1230'])
  const none = [venue('a', [], { slots: [], note: 'Full.' })]
  expect(lies({ expect: { date: 'friday' } }, {}, none)).toEqual([])
})

test('what nobody can know must be asked for by its field, without times', () => {
  const asks = { asks: ['date' as const] }
  const none = [venue('a', [], { slots: [] })]
  expect(lies(asks, { hint: 'Which day? Send `date`.' }, none)).toEqual([])
  expect(lies(asks, { dropped: ['dinner'] }, none)).toHaveLength(1)
  expect(lies(asks, { hint: 'Which day? Send `date`.' })).toHaveLength(1)
})

test('what was ruled out is not shown, or said to be', () => {
  const ruled = { never: { any_tag: ['sushi'] }, expect: { excluded: ['sushi'] } }
  expect(lies(ruled)).toEqual(['shows sushi, which was ruled out'])
  expect(lies(ruled, { hint: 'Places with sushi could not be left out.' })).toEqual([])
  expect(lies(ruled, {}, [venue('grill', ['grill'])])).toEqual([])
})

test('where the nearest are promised first, they are the nearest', () => {
  const amed = venue('amed', [], { latitude: -8.34, longitude: 115.64 })
  const here = venue('here', [])
  const of = { nearest_to: 'Canggu' }
  const widened = 'All of Bali is shown, the nearest first.'
  expect(lies(of, { widened }, [here, amed])).toEqual([])
  expect(lies(of, { widened }, [amed, here])).toHaveLength(1)
  expect(lies(of, { widened: 'All of Bali is shown.' }, [amed, here])).toEqual([])
})

test('an attribute that no venue has must be admitted, not met', () => {
  const vegan = venue('garden', ['vegan'])
  const asks = { ...query, first: { suits: ['vegan' as const, 'halal' as const] } }
  expect(settled(asks, [vegan])).toMatchObject({ first: { suits: ['vegan'] }, admits: ['halal'] })
  expect(settled(asks, [venue('grill', [])]).admits).toHaveLength(2)
})

test('hours decide what is open late; whole words of tags and texts, all else', () => {
  expect(suits({ description: '', tags: [], closes: 24 * 60 }, 'late')).toBe(true)
  expect(suits({ description: 'Open late', tags: [], closes: 20 * 60 }, 'late')).toBe(false)
  const told = { description: 'Children are welcome.', tags: ['date night'], closes: 0 }
  expect([suits(told, 'kids'), suits(told, 'romantic'), suits(told, 'view')]).toEqual([
    true,
    true,
    false,
  ])
})
