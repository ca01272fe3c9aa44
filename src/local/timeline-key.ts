import { join } from 'node:path'
import { type Config, missingTimelineKey } from '../config.ts'
import { parseSealingKeys, type SealingKey } from '../platform/sealing/sealing-keys.ts'
import { readOrMakeKey } from './kept-key.ts'

/** The keys that sign timelines: TIMELINE_KEY, or, outside production, one made once and kept in DATA_DIR. */
export function timelineKeys(
  config: Pick<Config, 'TIMELINE_KEY' | 'NODE_ENV' | 'DATA_DIR'>,
): SealingKey[] {
  if (config.TIMELINE_KEY) return config.TIMELINE_KEY
  if (config.NODE_ENV === 'production') throw new Error(missingTimelineKey)
  const file = join(config.DATA_DIR, 'timeline-key')
  const keys = parseSealingKeys(readOrMakeKey(file))
  if (keys) return keys
  throw new Error(
    `${file} does not hold a key. Put it back from a backup: without it, what was signed with it cannot be verified.`,
  )
}
