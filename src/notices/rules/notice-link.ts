import { DAY_MS } from '../../base/durations.ts'
import { idOfLinkToken, linkToken } from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'

const PURPOSE = 'notice'
const MAX_LINK_MS = 7 * DAY_MS

type Tokens = Pick<Sealer, 'tokens'>

/** The page of a notice as one channel's message links to it. */
export const noticeUrl = (sealer: Tokens, publicUrl: string, attemptId: string): string =>
  `${publicUrl}/venue/notice/${linkToken(sealer, PURPOSE, attemptId)}`

/** The attempt whose message contains this token; undefined for an invented token. */
export const attemptOfNoticeLink = (sealer: Tokens, token: string): string | undefined =>
  idOfLinkToken(sealer, PURPOSE, token)

/** How long the link of a notice shows anything. */
export const noticeLinkEndsAt = (createdAt: Date): Date =>
  new Date(createdAt.getTime() + MAX_LINK_MS)
