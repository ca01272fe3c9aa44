/** How often a scheduled run repeats its work, and the seconds between. */
export type Rounds = { count: number; seconds: number }
