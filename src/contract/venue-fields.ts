import { z } from 'zod'
import { factNames } from '../base/venue-facts.ts'
import { categories, confirmModes } from '../base/venue-kinds.ts'
import { foreign, foreignText } from './foreign-text.ts'
import * as place from './place-fields.ts'
import { label, notation, prose } from './safe-text.ts'

/**
 * Defines every field of a venue once. A new one needs an entry here and a column migration.
 * Queries, inserts, updates, public schema, import and export (JSON, CSV, OpenStreetMap) adapt.
 */
type VenueField = {
  /** the column type; CSV cells separate list items with ";" and write flags as true or false */
  sql: 'text' | 'text[]' | 'smallint' | 'float8' | 'boolean' | 'jsonb'
  /** the names of an object's members, each a column of CSV files */
  parts?: readonly string[]
  /** in rows and responses */
  shown: z.ZodType
  /** For import files. Without a default, a missing field keeps its value. */
  imported: z.ZodType
  /** extracts the field from OpenStreetMap tags */
  osm?: (tags: Record<string, unknown>) => unknown
}

/** A word from a list, in upper or lower case. */
const oneOf = <T extends string>(words: readonly T[]) =>
  z.preprocess(
    (text) => (typeof text === 'string' ? text.trim().toLowerCase() : text),
    z.enum(words),
  )

const degrees = (max: number) =>
  z.number('must be a number of degrees, as in -8.5069').refine((value) => Math.abs(value) <= max, {
    error: ({ input }) => `${input} is beyond ${max}; are latitude and longitude swapped?`,
  })

const venueFields = {
  name: {
    sql: 'text',
    shown: foreignText('Name of the venue'),
    imported: label(200),
    osm: (tags) => tags.name ?? tags['name:en'],
  },
  category: {
    sql: 'text',
    shown: z.enum(categories).meta({ id: 'Category' }),
    imported: oneOf(categories),
  },
  latitude: { sql: 'float8', shown: z.number(), imported: degrees(90) },
  longitude: { sql: 'float8', shown: z.number(), imported: degrees(180) },
  description: {
    sql: 'text',
    shown: foreignText('How the venue describes itself'),
    imported: prose(4_000).default(''),
    osm: ({ description }) => description,
  },
  tags: {
    sql: 'text[]',
    shown: foreign('Words for what the venue offers', z.array(z.string())),
    imported: place.tagList(50),
  },
  cuisine: {
    sql: 'text[]',
    shown: foreign('Kinds of food', z.array(z.string())),
    imported: place.tagList(20),
  },
  address: {
    sql: 'jsonb',
    parts: place.addressParts,
    shown: place.address,
    imported: place.importedAddress,
  },
  phone: {
    sql: 'text',
    shown: foreign('E.164', z.string().nullable()),
    // Its country is known only with the venue's area (src/venues/import/phone.ts).
    imported: notation(60).nullable().default(null),
  },
  website: {
    sql: 'text',
    shown: foreign('Website', z.string().nullable()),
    imported: place.importedUrl,
  },
  menu_url: {
    sql: 'text',
    shown: foreign('Menu', z.string().nullable()),
    imported: place.importedUrl,
  },
  photos: { sql: 'jsonb', shown: place.photos, imported: place.importedPhotos },
  opening_hours: {
    sql: 'text',
    shown: foreign('When it is open, as people read it', z.string().nullable()),
    imported: label(300).nullable().default(null),
  },
  facts: { sql: 'jsonb', parts: factNames, shown: place.facts, imported: place.importedFacts },
  price_level: {
    sql: 'smallint',
    shown: z.int().describe('1 (cheap) to 4'),
    imported: z.int().min(1).max(4).default(2),
  },
  confirm_mode: {
    sql: 'text',
    shown: z.enum(confirmModes).meta({ id: 'ConfirmMode' }),
    imported: oneOf(confirmModes).optional(),
  },
  is_demo: {
    sql: 'boolean',
    shown: z.boolean().describe('Fictitious venue of the demo data'),
    imported: z.boolean().optional(),
  },
  takes_test_money: {
    sql: 'boolean',
    shown: z.boolean().describe('Demo venue that can be booked for a fee in test money (x402)'),
    imported: z.boolean().default(false),
  },
} as const satisfies Record<string, VenueField>

type Fields = typeof venueFields
type Name = keyof Fields

export const venueFieldEntries = Object.entries(venueFields) as [Name, VenueField][]
export const venueFieldNames = venueFieldEntries.map(([name]) => name)

const shapeOf = <K extends 'shown' | 'imported'>(key: K) =>
  Object.fromEntries(venueFieldEntries.map(([name, field]) => [name, field[key]])) as unknown as {
    [N in Name]: Fields[N][K]
  }

export const shownFields = shapeOf('shown')
export const importedFields = shapeOf('imported')

/** A venue's own fields; city, country, time zone and currency come from its area. */
export type VenueFields = z.output<z.ZodObject<typeof shownFields>>

/** A place without any known details. */
export const unknownPlace = {
  cuisine: [],
  address: null,
  phone: null,
  website: null,
  menu_url: null,
  photos: [],
  opening_hours: null,
  facts: {},
  takes_test_money: false,
} satisfies Partial<VenueFields>
/** The optional details of a venue, which are not needed to find or book it. */
export type PlaceFields = Pick<VenueFields, keyof typeof unknownPlace>

type FieldsOf<T> = { [N in keyof Pick<T, Name & keyof T>]: Exclude<T[N], undefined> }

/** The venue fields in `values` that are not undefined. */
export const venueFieldsOf = <T extends { [N in Name]?: unknown }>(values: T): FieldsOf<T> =>
  Object.fromEntries(
    venueFieldNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  ) as FieldsOf<T>

export const venueColumnsOf = (row: string): string =>
  venueFieldNames.map((name) => `${row}.${name}`).join(', ')
export const venueRecordset = venueFieldEntries
  .map(([name, { sql }]) => `${name} ${sql}`)
  .join(', ')
