import type { Senders } from '../rules/channel.ts'
import type { WhatsAppSettings } from '../rules/whatsapp-settings.ts'
import { createPostSender, type PostDeps } from './send-post.ts'
import { createWhatsAppSender, type WhatsAppDeps } from './send-whatsapp.ts'

/** What the senders need; a channel whose settings are missing has no sender. */
export type NoticeSenderDeps = PostDeps &
  Pick<WhatsAppDeps, 'log'> & { whatsApp: WhatsAppSettings | undefined }

/** The senders of this network. */
export const createSenders = (deps: NoticeSenderDeps): Senders => ({
  post: createPostSender(deps),
  ...(deps.whatsApp && {
    whatsapp: createWhatsAppSender({ ...deps, settings: deps.whatsApp }, deps.sealer),
  }),
})
