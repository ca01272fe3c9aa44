import { spaRecord as spa } from './spa-records.ts'

const classes = {
  id: 'Kelas',
  name: 'Kelas Amed',
  ...{ category: 'gym', latitude: -8.2766, longitude: 115.5941, area: 'amed' },
  services: ['Mat pilates', 'Reformer pilates', 'Vinyasa'].map((name) => ({
    ...{ name, strategy: 'exclusive', kind: 'class', leader: 'teacher', party_max: 2 },
    hours: 'Mo-Su 06:00-20:00',
    requires: [{ kind: 'teacher', per: 'party' }],
  })),
  resources: [{ kind: 'teacher', name: 'Komang Sri', party_max: 2 }],
}
const everyDay = (start: string, name: string) =>
  [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, start, name, minutes: 60, places: 9 }))
const studio = {
  id: 'Sanggar',
  name: 'Sanggar Pagi',
  ...{ category: 'gym', latitude: -8.2767, longitude: 115.5942, area: 'amed' },
  services: [
    {
      ...{ name: 'Yoga', strategy: 'pooled', kind: 'class' },
      sessions: [
        ...everyDay('07:00', 'Ashtanga'),
        ...everyDay('08:30', 'Kundalini'),
        ...everyDay('18:00', 'Kundalini'),
      ],
    },
  ],
}
const eatery = (name: string, about: object) => ({
  ...{ id: name, name, category: 'restaurant', latitude: -8.2764, longitude: 115.594 },
  ...{ area: 'amed', hours: 'Mo-Su 17:00-22:00', ...about },
})
const tablesAt = (text: string) => {
  const [name = '', hours] = text.split(' ')
  const table = { kind: 'table', name: `${name} 1`, party_max: 4 }
  return {
    name,
    strategy: 'exclusive',
    hours: `Mo-Su ${hours}`,
    grid_minutes: 30,
    durations: [{ party_max: 4, minutes: 60 }],
    resources: [table],
  }
}
const million = 1_000_000_00
/** Spas, studios and restaurants in Amed with a choice of services, for an import. */
export const amed = [
  spa(
    'Teduh',
    [
      { name: 'Flower bath', lengths: { 45: 0.2 * million } },
      { name: 'Balinese massage', lengths: { 60: 0.3 * million, 90: 0.45 * million } },
      { name: 'Hot stone massage', lengths: { 90: 0.4 * million } },
    ],
    ['Ayu', 'Made'],
  ),
  spa(
    'Sejuk',
    [{ name: 'Massage', lengths: { 90: 0.35 * million }, hours: '13:00-20:00' }],
    ['Ketut', 'Nyoman'],
  ),
  spa(
    'Rimbun',
    [
      { name: 'Deep facial', lengths: { 60: 0.3 * million }, hours: '10:00-20:00' },
      { name: 'Facial', lengths: { 60: 0.2 * million }, hours: '10:00-20:00' },
      { name: 'Reiki', lengths: { 60: 0.2 * million } },
      { name: 'Body scrub', lengths: { 45: 0.3 * million } },
    ],
    ['Wayan'],
  ),
  spa('Batu', [{ name: 'Reiki', lengths: { 60: 0.2 * million } }], ['Komang']),
  spa('Ombak', [{ name: 'Massage', lengths: { 60: 0.1 * million } }], ['Putu', 'Gede']),
  {
    ...spa('Harum', [{ name: 'Massage', lengths: { 60: 0.1 * million } }], ['Dewi']),
    tags: ['aromatherapy'],
  },
  spa(
    'Wangi',
    ['Massage', 'Aromatherapy massage'].map((name) => ({ name, lengths: { 60: 0.3 * million } })),
    ['Sari'],
  ),
  classes,
  studio,
  eatery('Sawah', { description: 'Looks over the rice terraces.' }),
  eatery('Pondok', { facts: { outdoor: 'yes' } }),
  eatery('Beranda', {
    hours: undefined,
    services: ['Indoor 17:00-22:00', 'Terrace 21:00-22:00'].map(tablesAt),
  }),
]
