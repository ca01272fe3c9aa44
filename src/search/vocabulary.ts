import type { Category } from '../model/rules.ts'

/** Words that name a kind of venue and say nothing more. */
export const kindWords: Record<Category, readonly string[]> = {
  restaurant: [
    'restaurant',
    'restaurants',
    'resto',
    'restos',
    'eatery',
    'eateries',
    'dining',
    'dinner',
    'lunch',
    'food',
    'eat',
    'meal',
    'place to eat',
    'places to eat',
    'somewhere to eat',
  ],
  bar: ['bar', 'bars', 'pub', 'pubs', 'drink', 'drinks', 'nightlife', 'place to drink'],
  gym: ['gym', 'gyms', 'fitness', 'workout', 'work out', 'exercise', 'fitness studio'],
  spa: ['spa', 'spas', 'treatment', 'treatments', 'wellness', 'wellness centre', 'wellness center'],
}

/** Words that imply a kind of venue and are also searched for. A kind that is named outright prevails. */
export const impliedKinds: Record<Category, readonly string[]> = {
  restaurant: [
    'sushi',
    'omakase',
    'ramen',
    'pizza',
    'pasta',
    'seafood',
    'steak',
    'steakhouse',
    'grill',
    'barbecue',
    'bbq',
    'vegan',
    'vegetarian',
    'brunch',
    'breakfast',
    'cafe',
    'warung',
    'bistro',
    'noodles',
    'noodle',
    'curry',
    'dumplings',
    'tapas',
    'tacos',
    'burger',
    'burgers',
    'dim sum',
    'hotpot',
    'fine dining',
    'tasting menu',
  ],
  bar: [
    'cocktail',
    'cocktails',
    'wine',
    'beer',
    'craft beer',
    'speakeasy',
    'rooftop',
    'beach club',
    'lounge',
    'mezcal',
    'whisky',
    'gin',
    'taproom',
    'live music',
  ],
  gym: [
    'yoga',
    'pilates',
    'crossfit',
    'boxing',
    'muay thai',
    'spinning',
    'hiit',
    'barre',
    'climbing',
    'bouldering',
    'weights',
    'strength',
    'jiu jitsu',
    'mobility',
  ],
  spa: [
    'massage',
    'massages',
    'facial',
    'facials',
    'sauna',
    'hammam',
    'reflexology',
    'scrub',
    'onsen',
    'aromatherapy',
    'couples massage',
  ],
}

/** Words that carry nothing to search for. */
export const stopWords: readonly string[] = (
  'a an and any are around at available best book booking bookings by can class classes close ' +
  'find for from good great i in is it like looking me my near nearby need nice now of on one or ' +
  'our place places please reserve reservation slot some somewhere table tables that the there ' +
  'this to today tomorrow tonight us venue venues want we where which with would you'
).split(' ')

/** Names of countries in which the network has areas, by ISO 3166-1 alpha-2 code. */
export const countryNames: Record<string, readonly string[]> = {
  ID: ['indonesia'],
  SG: ['singapore'],
  MY: ['malaysia'],
  TH: ['thailand'],
  VN: ['vietnam', 'viet nam'],
  KH: ['cambodia'],
  LA: ['laos'],
  PH: ['philippines', 'the philippines'],
  MM: ['myanmar', 'burma'],
}
