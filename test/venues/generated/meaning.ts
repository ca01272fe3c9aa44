import type { JudgedVenue } from '../golden/grade.ts'
import type { Window } from '../golden/offered.ts'

/** Local dates, both included. */
export type Span = { from: string; to: string }

/** The days that a phrase can mean; none if it means no day that can be booked or known. */
export type DayMeaning = {
  days: readonly Span[]
  /** the part of the day, as in "tomorrow night" */
  window?: Window
  /** whether a reading is a guess that the answer must put into words */
  mustSay?: true
}

/** The times that a phrase can mean: one of `at`, or any in `window`; neither: no time at all. */
export type TimeMeaning = { at?: readonly number[]; window?: Window }

/** The parties that a phrase can mean; none if it does not say how many come. */
export type PartyMeaning = { sizes: readonly number[] }

export type KindMeaning = { categories: readonly string[] }

export type PlaceMeaning = { includes: (venue: JudgedVenue) => boolean }

/** What a phrase rules out, and the words it uses for it. */
export type Exclusion = { words: readonly string[]; includes: (venue: JudgedVenue) => boolean }

/** A piece of text, what it means, and the name of its form in counts. */
export type Part<M> = { form: string; text: string; meaning: M }

/** The moment at which a phrase is said, and its local date. */
export type Moment = { at: Date; today: string; minutes: number }

export type Phrase = {
  seed: number
  text: string
  moment: Moment
  kind: Part<KindMeaning>
  place: Part<PlaceMeaning>
  day: Part<DayMeaning> | undefined
  time: Part<TimeMeaning> | undefined
  party: Part<PartyMeaning> | undefined
  exclusion: Part<Exclusion> | undefined
}
