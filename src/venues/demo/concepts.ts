import type { Category } from '../../contract/rules/venue-kinds.ts'
import type { Culture } from './regions.ts'

/** How a venue sells its time: `tables` and `treatments` are exclusive, the others are places in a pool. */
export type Style = 'tables' | 'day-beds' | 'classes' | 'floor' | 'treatments'

/** What a venue is about; `suffix` completes its name and `story` begins its description. */
export type Concept = {
  style: Style
  suffix: string
  story: string
  tags: readonly string[]
}

const concept = (style: Style, suffix: string, story: string, ...tags: string[]): Concept => ({
  style,
  suffix,
  story,
  tags,
})

/** What people in each culture cook at home, and come back for. */
export const homeCooking: Record<Culture, Concept> = {
  balinese: concept(
    'tables',
    'Warung',
    'Nasi campur, babi guling and sambal matah pounded to order',
    'balinese',
    'indonesian',
    'warung',
    'nasi campur',
  ),
  javanese: concept(
    'tables',
    'Dapur',
    'Gudeg, sate and rendang from a kitchen that starts before dawn',
    'javanese',
    'indonesian',
    'rendang',
    'satay',
  ),
  malay: concept(
    'tables',
    'Nyonya Kitchen',
    'Laksa, beef rendang and buah keluak after a grandmother’s notebook',
    'peranakan',
    'malay',
    'laksa',
    'curry',
  ),
  thai: concept(
    'tables',
    'Krua',
    'Charcoal-grilled meats, sour curries and herbs cut this morning',
    'thai',
    'curry',
    'som tam',
    'family style',
  ),
  vietnamese: concept(
    'tables',
    'Bếp',
    'Pho, bun cha and fresh rolls under a slow ceiling fan',
    'vietnamese',
    'pho',
    'noodles',
    'street food',
  ),
  khmer: concept(
    'tables',
    'Khmer Kitchen',
    'Fish amok, lok lak and Kampot pepper in a wooden house',
    'khmer',
    'cambodian',
    'amok',
    'curry',
  ),
  filipino: concept(
    'tables',
    'Kusina',
    'Adobo, kinilaw and crispy pata to share',
    'filipino',
    'adobo',
    'seafood',
    'family style',
  ),
}

/** Dealt out to venues in turn, so that every area has some variety. */
export const concepts: Record<Category, readonly [Concept, ...Concept[]]> = {
  restaurant: [
    concept(
      'tables',
      'Grill',
      'The day’s catch and dry-aged steak over coconut-husk coals',
      'seafood',
      'grill',
      'steak',
      'barbecue',
    ),
    concept(
      'tables',
      'Trattoria',
      'Hand-rolled pasta and pizza from a wood-fired oven',
      'italian',
      'pizza',
      'pasta',
      'wood-fired',
    ),
    concept(
      'tables',
      'Table',
      'A tasting menu of seven courses that follows the market',
      'fine dining',
      'tasting menu',
      'romantic',
    ),
    concept(
      'tables',
      'Sushi',
      'Nigiri, hand rolls and a short omakase at a cedar counter',
      'japanese',
      'sushi',
      'omakase',
    ),
    concept(
      'tables',
      'Garden',
      'Plant-based plates and cold-pressed juices among the palms',
      'vegan',
      'vegetarian',
      'brunch',
      'healthy',
    ),
    concept(
      'tables',
      'Ramen-ya',
      'Twelve-hour broths, springy noodles and cold beer',
      'japanese',
      'ramen',
      'noodles',
    ),
    concept(
      'tables',
      'Taqueria',
      'Corn tortillas pressed by hand, smoky salsas and mezcal',
      'mexican',
      'tacos',
      'mezcal',
    ),
  ],
  bar: [
    concept(
      'tables',
      'Rooftop',
      'Sundowners and tropical cocktails above the roofs',
      'rooftop',
      'cocktails',
      'sunset',
      'view',
    ),
    concept(
      'tables',
      'Cocktail Room',
      'Low light, vinyl and cocktails built on local spirits',
      'cocktails',
      'speakeasy',
      'vinyl',
    ),
    concept(
      'tables',
      'Taproom',
      'Twelve taps of craft beer and live music on weekends',
      'craft beer',
      'beer',
      'live music',
    ),
    concept(
      'tables',
      'Wine Bar',
      'Natural wine by the glass with cheese and small plates',
      'wine',
      'natural wine',
      'small plates',
    ),
    concept(
      'day-beds',
      'Beach Club',
      'Day beds, a long pool and a DJ until after sunset',
      'beach club',
      'day bed',
      'pool',
      'cocktails',
    ),
  ],
  gym: [
    concept(
      'classes',
      'Yoga',
      'Vinyasa, yin and breathwork in an open-air shala',
      'yoga',
      'vinyasa',
      'yin',
      'meditation',
    ),
    concept(
      'floor',
      'Strength Club',
      'Racks, platforms and a coach on the floor at all hours',
      'weights',
      'strength',
      'open gym',
    ),
    concept(
      'classes',
      'Muay Thai',
      'Pad work and clinch for beginners and fighters alike',
      'muay thai',
      'boxing',
      'martial arts',
    ),
    concept(
      'classes',
      'Pilates Studio',
      'Reformer and mat classes in small groups',
      'pilates',
      'reformer',
      'barre',
    ),
    concept(
      'classes',
      'HIIT Lab',
      'Fifty hard minutes of intervals, rowing and sleds',
      'hiit',
      'crossfit',
      'conditioning',
    ),
    concept(
      'floor',
      'Boulders',
      'Fresh problems every week, a training board and a café',
      'bouldering',
      'climbing',
      'training board',
    ),
  ],
  spa: [
    concept(
      'treatments',
      'Spa',
      'Long massages and flower baths in garden pavilions',
      'massage',
      'flower bath',
      'couples',
    ),
    concept(
      'treatments',
      'Massage House',
      'Firm traditional massage, reflexology and herbal compresses',
      'massage',
      'reflexology',
      'herbal compress',
    ),
    concept(
      'treatments',
      'Bathhouse',
      'Sauna, cold plunge and body scrubs, ending with ginger tea',
      'sauna',
      'cold plunge',
      'body scrub',
      'massage',
    ),
    concept(
      'treatments',
      'Skin Studio',
      'Facials and aromatherapy with plants from the highlands',
      'facial',
      'aromatherapy',
      'skincare',
    ),
  ],
}
