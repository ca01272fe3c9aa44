import { z } from 'zod'
import { factNames, neededFactNames, type VenueFacts } from '../base/venue-facts.ts'
import { foreign, foreignText } from './foreign-text.ts'
import { named } from './named.ts'
import { label } from './safe-text.ts'

/** An item of a list in a CSV cell. */
const tag = label(60).refine((text) => !text.includes(';'), 'has a ";", which separates tags')
export const tagList = (max: number) =>
  z
    .array(tag)
    .max(max)
    .default([])
    .transform((tags) => [...new Set(tags)])

/** An optional text written by others. */
const textOrNull = (what: string) => foreign(what, z.string().nullable())

const part = textOrNull('As written locally')
export const address = named('Address', {
  street: part,
  locality: part,
  postcode: part,
}).nullable()
export const addressParts = ['street', 'locality', 'postcode'] as const

const direction = /[\u202a-\u202e\u2066-\u2069]/
/** A line that is sent to guests, so it must not contain links or reorder the text around it. */
const line = (max: number) =>
  label(max)
    .refine((text) => !direction.test(text), 'has a text direction mark; remove it')
    .refine((text) => !/:\/\/|\bwww\./i.test(text), 'has a web address; write it as website')

const linePart = line(200).nullable().default(null)
export const importedAddress = z
  .strictObject({
    street: linePart,
    locality: linePart,
    postcode: line(20).nullable().default(null),
    /** joined with the street in the order of the country */
    house_number: line(20).nullable().optional(),
  })
  .nullable()
  .default(null)

/** A web address of http or https; a missing scheme means https. */
const webAddress = label(1_000).transform((text, context) => {
  const scheme = /^([a-z][a-z\d+-]*):/i.exec(text)?.[1]?.toLowerCase()
  const url = URL.parse(scheme === undefined ? `https://${text}` : text)
  const message = urlProblem(scheme ?? 'https', url)
  if (message) context.addIssue({ code: 'custom', message })
  return url?.href.replaceAll(';', '%3B') ?? ''
})

function urlProblem(scheme: string, url: URL | null): string | undefined {
  if (!/^https?$/.test(scheme)) return `begins with "${scheme}:"; only http and https are allowed`
  if (!url?.hostname.includes('.')) return 'is not a web address, as in https://example.com/menu'
  return url.username || url.password ? 'has a user name or password; remove it' : undefined
}

export const importedUrl = webAddress.nullable().default(null)

const MAX_PHOTOS = 10
export const photos = z
  .array(named('Photo', { url: foreignText('Address'), credit: textOrNull('Whom to credit') }))
  .describe('Photographs at other sites')
export const importedPhotos = z
  .array(
    z.strictObject({
      url: webAddress,
      credit: line(200)
        .refine((text) => !text.includes(';'), 'has a ";", which separates photos')
        .nullable()
        .default(null),
    }),
  )
  .max(MAX_PHOTOS)
  .default([])

export const facts = z
  .partialRecord(z.enum(factNames), z.enum(['yes', 'no']))
  .describe('The known facts; ask the venue about any other')

export const requiredFacts = z
  .array(z.enum(neededFactNames).meta({ id: 'WishedFact' }))
  .max(5)
  .optional()
  .describe('Facts that it must have; venues whose facts are unknown come last')

const answers = new Map([
  ...['yes', 'true', 'y', '1', 'ya'].map((text) => [text, 'yes'] as const),
  ...['no', 'false', 'n', '0', 'tidak'].map((text) => [text, 'no'] as const),
  ...['unknown', '?', ''].map((text) => [text, undefined] as const),
])
const factValue = z
  .preprocess(
    (value) =>
      String(value ?? '')
        .trim()
        .toLowerCase(),
    z.string(),
  )
  .refine((text) => answers.has(text), 'must be yes, no or unknown')
  .transform((text) => answers.get(text))

export const importedFacts = z
  .strictObject(
    Object.fromEntries(factNames.map((name) => [name, factValue.optional()])) as {
      [N in (typeof factNames)[number]]: z.ZodOptional<typeof factValue>
    },
  )
  .default({})
  .transform(
    (facts): VenueFacts =>
      Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
  )
