import type { AreaRow } from '../../availability/store/areas.ts'

/** Whose cooking and naming the venues of a region follow. */
export type Culture =
  | 'balinese'
  | 'javanese'
  | 'malay'
  | 'thai'
  | 'vietnamese'
  | 'khmer'
  | 'filipino'

type Region = {
  city: string
  country: string
  timezone: string
  currency: string
  culture: Culture
  /** slug, name, latitude, longitude, other names */
  areas: readonly (readonly [string, string, number, number, ...string[]])[]
}

const indonesia = { country: 'ID', currency: 'IDR' } as const
const central = { ...indonesia, timezone: 'Asia/Makassar', culture: 'balinese' } as const
const western = { ...indonesia, timezone: 'Asia/Jakarta', culture: 'javanese' } as const
const thailand = {
  country: 'TH',
  currency: 'THB',
  timezone: 'Asia/Bangkok',
  culture: 'thai',
} as const
const vietnam = {
  country: 'VN',
  currency: 'VND',
  timezone: 'Asia/Ho_Chi_Minh',
  culture: 'vietnamese',
} as const
const cambodia = {
  country: 'KH',
  currency: 'KHR',
  timezone: 'Asia/Phnom_Penh',
  culture: 'khmer',
} as const
const philippines = {
  country: 'PH',
  currency: 'PHP',
  timezone: 'Asia/Manila',
  culture: 'filipino',
} as const
const malaysia = {
  country: 'MY',
  currency: 'MYR',
  timezone: 'Asia/Kuala_Lumpur',
  culture: 'malay',
} as const
const singapore = {
  country: 'SG',
  currency: 'SGD',
  timezone: 'Asia/Singapore',
  culture: 'malay',
} as const

/** Real areas, each at its approximate centre. `city` is the city or, where people say so, the island. */
const regions: readonly Region[] = [
  {
    ...central,
    city: 'Bali',
    areas: [
      [
        'seminyak',
        'Seminyak',
        -8.6913,
        115.1682,
        'Oberoi',
        'Petitenget',
        'Kerobokan',
        'Batu Belig',
      ],
      ['canggu', 'Canggu', -8.6478, 115.1385, 'Berawa', 'Batu Bolong', 'Echo Beach', 'Umalas'],
      ['pererenan', 'Pererenan', -8.6407, 115.1226],
      ['ubud', 'Ubud', -8.5069, 115.2625, 'Penestanan', 'Tegallalang', 'Sayan'],
      ['uluwatu', 'Uluwatu', -8.8149, 115.0884, 'Bingin', 'Padang Padang', 'Pecatu', 'Ungasan'],
      ['sanur', 'Sanur', -8.6938, 115.2632],
      ['kuta', 'Kuta', -8.718, 115.1686, 'Kuta Beach'],
      ['legian', 'Legian', -8.7043, 115.1693],
      ['jimbaran', 'Jimbaran', -8.7908, 115.1626],
      ['nusa-dua', 'Nusa Dua', -8.8008, 115.2309, 'Tanjung Benoa'],
      ['denpasar', 'Denpasar', -8.6705, 115.2126, 'Renon'],
      ['amed', 'Amed', -8.3363, 115.6442],
      ['lovina', 'Lovina', -8.1581, 115.0266],
      ['nusa-lembongan', 'Nusa Lembongan', -8.6805, 115.4446, 'Lembongan'],
    ],
  },
  {
    ...central,
    city: 'Lombok',
    areas: [
      ['senggigi', 'Senggigi', -8.4919, 116.0427],
      ['kuta-lombok', 'Kuta Lombok', -8.8953, 116.2831, 'Kuta Mandalika', 'Mandalika'],
    ],
  },
  {
    ...central,
    city: 'Gili Islands',
    areas: [
      ['gili-trawangan', 'Gili Trawangan', -8.35, 116.04, 'Gili T', 'Trawangan'],
      ['gili-air', 'Gili Air', -8.358, 116.0822],
      ['gili-meno', 'Gili Meno', -8.3502, 116.057],
    ],
  },
  {
    ...western,
    city: 'Jakarta',
    areas: [
      ['kemang', 'Kemang', -6.2607, 106.8135],
      ['menteng', 'Menteng', -6.1953, 106.8323],
    ],
  },
  {
    ...western,
    city: 'Yogyakarta',
    areas: [['prawirotaman', 'Prawirotaman', -7.8195, 110.3722]],
  },
  {
    ...singapore,
    city: 'Singapore',
    areas: [
      ['tanjong-pagar', 'Tanjong Pagar', 1.2764, 103.8458, 'Duxton'],
      ['tiong-bahru', 'Tiong Bahru', 1.2847, 103.8323, 'Tiong Baru'],
      ['kampong-glam', 'Kampong Glam', 1.3017, 103.8597, 'Haji Lane', 'Arab Street'],
    ],
  },
  {
    ...malaysia,
    city: 'Kuala Lumpur',
    areas: [
      ['bukit-bintang', 'Bukit Bintang', 3.1466, 101.7113, 'Changkat'],
      ['bangsar', 'Bangsar', 3.1291, 101.6713],
    ],
  },
  {
    ...malaysia,
    city: 'Penang',
    areas: [['george-town', 'George Town', 5.4141, 100.3288, 'Georgetown']],
  },
  {
    ...thailand,
    city: 'Bangkok',
    areas: [
      ['thonglor', 'Thonglor', 13.7325, 100.5795, 'Thong Lo', 'Thong Lor', 'Ekkamai', 'Sukhumvit'],
      ['ari', 'Ari', 13.7797, 100.5446],
      ['silom', 'Silom', 13.7262, 100.53, 'Sathorn'],
    ],
  },
  {
    ...thailand,
    city: 'Chiang Mai',
    areas: [['nimman', 'Nimman', 18.7998, 98.9676, 'Nimmanhaemin', 'Nimmanhemin']],
  },
  {
    ...thailand,
    city: 'Phuket',
    areas: [
      ['phuket-old-town', 'Phuket Old Town', 7.885, 98.388],
      ['rawai', 'Rawai', 7.7791, 98.3256, 'Nai Harn'],
    ],
  },
  {
    ...vietnam,
    city: 'Ho Chi Minh City',
    areas: [
      ['district-1', 'District 1', 10.7757, 106.7004, 'D1', 'Quan 1', 'Ben Thanh'],
      ['thao-dien', 'Thao Dien', 10.8023, 106.7405, 'District 2', 'D2'],
    ],
  },
  { ...vietnam, city: 'Hanoi', areas: [['tay-ho', 'Tay Ho', 21.0702, 105.8188, 'West Lake']] },
  { ...vietnam, city: 'Hoi An', areas: [['an-bang', 'An Bang', 15.9137, 108.3408]] },
  {
    ...cambodia,
    city: 'Siem Reap',
    areas: [['wat-bo', 'Wat Bo', 13.358, 103.864, 'Kandal Village']],
  },
  { ...cambodia, city: 'Phnom Penh', areas: [['bkk1', 'BKK1', 11.551, 104.927]] },
  {
    city: 'Luang Prabang',
    country: 'LA',
    timezone: 'Asia/Vientiane',
    currency: 'LAK',
    culture: 'thai',
    areas: [['ban-xieng-thong', 'Ban Xieng Thong', 19.8978, 102.143]],
  },
  {
    ...philippines,
    city: 'Manila',
    areas: [
      ['makati', 'Makati', 14.5547, 121.0244, 'Poblacion', 'Legazpi Village'],
      ['bgc', 'BGC', 14.5509, 121.0515, 'Bonifacio Global City', 'Taguig'],
    ],
  },
  { ...philippines, city: 'Cebu', areas: [['lahug', 'Lahug', 10.3321, 123.8967]] },
  {
    city: 'Yangon',
    country: 'MM',
    timezone: 'Asia/Yangon',
    currency: 'MMK',
    culture: 'thai',
    areas: [['bahan', 'Bahan', 16.812, 96.154, 'Inya Lake']],
  },
]

export type DemoArea = AreaRow & { culture: Culture }

export const demoAreas: readonly DemoArea[] = regions.flatMap(
  ({ city, country, timezone, currency, culture, areas }) =>
    areas.map(([slug, name, latitude, longitude, ...aliases]) => ({
      slug,
      name,
      aliases,
      city,
      country,
      timezone,
      currency,
      latitude,
      longitude,
      culture,
    })),
)
