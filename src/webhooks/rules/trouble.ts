import { HOUR_MS } from '../../base/durations.ts'

/** Mail about endpoints that have failed this long: by then three retries have not helped. */
export const MAIL_AFTER_MS = HOUR_MS
