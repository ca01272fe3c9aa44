import type { Outbound } from '../../platform/http/client.ts'
import type { SendMail } from '../../platform/mail/send-mail.ts'
import type { Senders } from '../rules/channel.ts'
import type { WhatsAppSettings } from '../rules/whatsapp-settings.ts'
import { createMailSender } from './send-mail.ts'
import { createPostSender, type PostDeps } from './send-post.ts'
import { createPushSender, type PushKeys } from './send-push.ts'
import { createWhatsAppSender, type WhatsAppDeps } from './send-whatsapp.ts'

/** What the senders need; a channel whose settings are missing has no sender. */
export type NoticeSenderDeps = PostDeps &
  Pick<WhatsAppDeps, 'log'> & {
    whatsApp: WhatsAppSettings | undefined
    sendMail: SendMail | undefined
    push: { keys: PushKeys; outbound: Pick<Outbound, 'send'> } | undefined
  }

/** The senders of this network. */
export const createSenders = ({ sendMail, push, ...deps }: NoticeSenderDeps): Senders => ({
  post: createPostSender(deps),
  ...(deps.whatsApp && {
    whatsapp: createWhatsAppSender({ ...deps, settings: deps.whatsApp }, deps.sealer),
  }),
  ...(sendMail && { mail: createMailSender(sendMail) }),
  ...(push && { push: createPushSender(push.outbound, push.keys) }),
})
