import { uuidOf } from '../../platform/database/uuid-of.ts'
import { idOfLinkToken, linkToken } from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { type Answer, answers } from './whatsapp-templates.ts'

const PURPOSE = 'whatsapp'
type Tokens = Pick<Sealer, 'tokens'>

/** What a press brings back: the answer, the attempt that asked, and the choice from a list. */
export type Press = { answer: Answer; attemptId: string; choice: string | undefined }

/** The payload of a button or a row of a list; fits into Meta's 128 characters. */
export const payloadText = (sealer: Tokens, { answer, attemptId, choice }: Press): string =>
  [answer, linkToken(sealer, PURPOSE, attemptId), choice].filter(Boolean).join('.')

/** What a payload means; undefined for one that we did not write. */
export function readPayload(sealer: Tokens, payload: string): Press | undefined {
  const [word, token = '', choice] = payload.split('.', 3)
  const answer = answers.find((one) => one === word)
  const attemptId = idOfLinkToken(sealer, PURPOSE, token)
  return answer && attemptId ? { answer, attemptId, choice } : undefined
}

/**
 * What is stored instead of a message's id (`wamid.…`), which contains the telephone number in
 * base64.
 */
export const messageKey = (wamid: string): string => uuidOf(`whatsapp/${wamid}`)
