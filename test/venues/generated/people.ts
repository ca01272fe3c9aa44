import type { Part, PartyMeaning } from './meaning.ts'
import { misspelled, type Random } from './random.ts'

type Make = (random: Random) => [text: string, sizes: number[]]

const WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]
const BER = [
  '',
  '',
  'berdua',
  'bertiga',
  'berempat',
  'berlima',
  'berenam',
  'bertujuh',
  'berdelapan',
]

const figure = (random: Random, size: number) =>
  random.chance(0.5) ? `${size}` : (WORDS[size] ?? `${size}`)

const english: Record<string, Make> = {
  number: (random) => {
    const size = random.int(2, 8)
    const count = figure(random, size)
    const text = random.pick([
      ...[`for ${count}`, `for ${count} people`, `${count} people`, `party of ${count}`],
      ...[
        `table for ${count}`,
        `${size} pax`,
        `${count} of us`,
        `the ${count} of us`,
        `group of ${count}`,
      ],
      ...[`${size} guests`, `we are ${count}`, `${size}ppl`, `there will be ${count} of us`],
    ])
    return [text, [size]]
  },
  'misspelled number': (random) => {
    const size = random.pick([3, 4, 5, 7, 8])
    const word = misspelled(random, WORDS[size] ?? '')
    return [
      random.pick([`for ${word}`, `${word} people`, `for ${size} ${misspelled(random, 'people')}`]),
      [size],
    ]
  },
  'large number': (random) => {
    const [text, size] = random.pick([
      ['twenty people', 20],
      ['a dozen people', 12],
      ['half a dozen people', 6],
      ['fifteen guests', 15],
      ['a party of twelve', 12],
    ] as const)
    return [text, [size]]
  },
  'one person': (random) => [
    random.pick(['just me', 'for one', 'on my own', 'for myself', 'solo']),
    [1],
  ],
  'adults and children': (random) => {
    const [adults, kids] = [random.int(1, 4), random.int(1, 3)]
    const adult = adults === 1 ? 'adult' : 'adults'
    const child = random.pick(kids === 1 ? ['child', 'kid'] : ['children', 'kids'])
    return [
      random.pick([
        `${figure(random, adults)} ${adult} and ${figure(random, kids)} ${child}`,
        `for ${adults} ${adult} + ${kids} ${child}`,
        `${adults} ${adult}, ${kids} ${child}`,
      ]),
      [adults + kids],
    ]
  },
  'adults and a small child': (random) => {
    const adults = random.int(2, 4)
    const child = random.pick([
      ...[
        'a toddler',
        'a baby',
        'a 5 year old',
        'a 5-year-old',
        'an infant',
        'one child',
        'a four year old',
      ],
    ])
    return [`${figure(random, adults)} adults and ${child}`, [adults + 1]]
  },
  'ages of children': (random) => {
    const [adults, kids] = [random.int(1, 3), random.int(2, 3)]
    const ages = ['4', '7', '11'].slice(0, kids)
    const list = `${ages.slice(0, -1).join(', ')} and ${ages.at(-1)}`
    return [
      `${adults} ${adults === 1 ? 'adult' : 'adults'} and ${kids} kids aged ${list}`,
      [adults + kids],
    ]
  },
  relatives: (random) => {
    const [text, size] = random.pick([
      ['me and my wife', 2],
      ['for my husband and me', 2],
      ['with my girlfriend', 2],
      ['my wife, my mother and me', 3],
      ['for me and my two kids', 3],
      ['with my husband and two kids', 4],
      ['my parents and me', 3],
      ['me and 3 friends', 4],
      ['me plus four friends', 5],
      ['for me and a friend', 2],
      ['with my boss and two colleagues', 4],
      ['my three daughters and I', 4],
      ['me, my brother and his wife', 3],
      ['with my two kids', 3],
      ['5 including me', 5],
    ] as const)
    return [text, [size]]
  },
  couples: (random) => {
    const [text, size] = random.pick([
      ['two couples', 4],
      ['for a couple', 2],
      ['3 couples', 6],
      ['a couple plus one', 3],
      ['a couple with a baby', 3],
    ] as const)
    return [text, [size]]
  },
  'family of': (random) => {
    const size = random.int(3, 7)
    return [`${random.pick(['family of', 'a family of'])} ${figure(random, size)}`, [size]]
  },
  'range of sizes': (random) => {
    const size = random.int(3, 7)
    const text = random.pick([
      `${size - 1}-${size} people`,
      `${WORDS[size - 1]} to ${WORDS[size]} people`,
      `for ${size - 1} or ${size}`,
    ])
    return [text, [size]]
  },
  'no number': (random) => [
    random.pick([
      'with my family',
      'with friends',
      'a few of us',
      'for a big group',
      'with the kids',
      'with colleagues',
    ]),
    [],
  ],
}

const indonesian: Record<string, Make> = {
  angka: (random) => {
    const size = random.int(2, 9)
    return [
      random.pick([
        `untuk ${size} orang`,
        `${size} orang`,
        `buat ${size} orang`,
        `utk ${size} org`,
      ]),
      [size],
    ]
  },
  ber: (random) => {
    const size = random.int(2, 8)
    return [random.pick(['', 'untuk ', 'kami ']) + BER[size], [size]]
  },
  'dewasa dan anak': (random) => {
    const [adults, kids] = [random.int(1, 4), random.int(1, 3)]
    return [
      random.pick([`${adults} dewasa ${kids} anak`, `${adults} orang dewasa dan ${kids} anak`]),
      [adults + kids],
    ]
  },
  keluarga: (random) => {
    const [text, size] = random.pick([
      ['saya dan istri', 2],
      ['saya sama suami', 2],
      ['saya, istri, dan dua anak', 4],
      ['saya dan 3 teman', 4],
      ['sendirian', 1],
      ['rombongan 10 orang', 10],
      ['bareng 4 teman', 5],
      ['sama istri dan 2 anak', 4],
      ['bapak, ibu, dan saya', 3],
    ] as const)
    return [text, [size]]
  },
  'tanpa angka': (random) => [
    random.pick(['sekeluarga', 'sama keluarga', 'rame-rame', 'sama teman-teman', 'satu rombongan']),
    [],
  ],
}

const someone =
  (makers: Record<string, Make>) =>
  (random: Random): Part<PartyMeaning> => {
    const [form, make] = random.pick(Object.entries(makers))
    const [text, sizes] = make(random)
    return { form, text, meaning: { sizes } }
  }

export const englishParty = someone(english)
export const indonesianParty = someone(indonesian)
