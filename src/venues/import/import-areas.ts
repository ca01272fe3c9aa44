import { type AreaRow, insertAreas, selectAreas } from '../../availability/store/areas.ts'
import { kilometres } from '../../base/distance.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { moveIntoAreas } from '../store/area-venues.ts'
import { type ReadArea, readArea } from './area-records.ts'
import type { FileRow } from './file-rows.ts'
import type { Say } from './report.ts'

/** A landmark is in the nearest area, at most this far from its centre. */
const LANDMARK_KM = 45
/** An area that moves further than this is a different one. */
const SAME_KM = 30

type Counts = { areas: number; landmarks: number; moved: number; refused: number }

/** Adds or replaces areas and landmarks; venues of a town move into the areas around them. */
export async function importAreas(
  db: Pool,
  rows: AsyncIterable<FileRow>,
  say: Say,
): Promise<Counts> {
  return transaction(db, async (tx) => {
    const bySlug = new Map((await selectAreas(tx)).map((area) => [area.slug, area]))
    const changed = new Set<string>()
    const counts = { areas: 0, landmarks: 0, moved: 0, refused: 0 }
    for await (const row of rows) {
      const read: ReadArea = 'problem' in row ? row : readArea(row.value)
      const done = apply(read, bySlug)
      if ('problem' in done) {
        counts.refused += 1
        say(row, 'refused', done.problem)
        continue
      }
      counts['area' in read ? 'areas' : 'landmarks'] += 1
      bySlug.set(done.area.slug, done.area)
      changed.add(done.area.slug)
    }
    const areas = [...changed].flatMap((slug) => bySlug.get(slug) ?? [])
    await insertAreas(tx, areas, true)
    counts.moved = await moveIntoAreas(tx, [...changed])
    return counts
  })
}

function apply(
  read: ReadArea,
  bySlug: ReadonlyMap<string, AreaRow>,
): { area: AreaRow } | { problem: string } {
  if ('problem' in read) return read
  if ('landmark' in read) return withLandmark(read.landmark, [...bySlug.values()])
  const { area } = read
  const before = bySlug.get(area.slug)
  if (!before) return { area }
  if (kilometres(before, area) > SAME_KM) {
    return { problem: `slug: ${area.slug} is another area; give this one a slug of its own` }
  }
  if (before.timezone !== area.timezone || before.currency !== area.currency) {
    const kept = `${before.timezone} and ${before.currency}`
    return { problem: `slug: ${area.slug} has ${kept}, on which bookings depend` }
  }
  return { area: { ...area, landmarks: [...area.landmarks, ...others(before, area)] } }
}

/** The earlier landmarks that the file does not name; they stay. */
const others = (before: AreaRow, { landmarks }: AreaRow) =>
  before.landmarks.filter(({ names }) => !landmarks.some((one) => one.names[0] === names[0]))

function withLandmark(
  landmark: AreaRow['landmarks'][number],
  areas: readonly AreaRow[],
): { area: AreaRow } | { problem: string } {
  const [nearest] = areas
    .map((area) => ({ area, km: kilometres(area, landmark) }))
    .sort((one, other) => one.km - other.km)
  if (!nearest || nearest.km > LANDMARK_KM) {
    return { problem: 'no area is near; import areas or venues there first' }
  }
  const { area } = nearest
  const rest = area.landmarks.filter(({ names }) => names[0] !== landmark.names[0])
  return { area: { ...area, landmarks: [...rest, landmark] } }
}
