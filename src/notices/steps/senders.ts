import type { Senders } from '../rules/channel.ts'
import { createPostSender, type PostDeps } from './send-post.ts'

/** What the senders need; a channel whose settings are missing has no sender. */
export type NoticeSenderDeps = PostDeps

/** The senders of this network. */
export const createSenders = (deps: NoticeSenderDeps): Senders => ({
  post: createPostSender(deps),
})
