/** How often a scheduled run does its work, and how many seconds apart. */
export type Rounds = { count: number; seconds: number }
