import { HOUR_MS } from '../../base/durations.ts'

/** An endpoint that fails for less time is not worth a mail: three retries have not helped then. */
export const MAIL_AFTER_MS = HOUR_MS
