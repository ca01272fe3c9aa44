import { HOUR_MS } from '../../base/durations.ts'

/** Owners are emailed after failures for this long: by then, three retries have not helped. */
export const MAIL_AFTER_MS = HOUR_MS
