import type { Room } from '../contract/room.ts'
import { sealedColumn } from '../platform/sealing/sealed-columns.ts'
import { channelContext } from './store/channels.ts'

/** The people at venues, and how they are notified of requests, changes and the next day. */
export const notices = {
  name: 'notices',
  sealed: [
    sealedColumn('addresses of people at venues', 'notice_channel.id', 'address', channelContext),
  ],
} as const satisfies Room
