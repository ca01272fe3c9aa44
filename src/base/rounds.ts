/** How many times a scheduled run repeats its work, and the seconds in between. */
export type Rounds = { count: number; seconds: number }
